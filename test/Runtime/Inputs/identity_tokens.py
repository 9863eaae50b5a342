"""Pairs of texts that the identity of builds must tell apart, or must not.

usage: identity_tokens.py DIRECTORY, of identity.py
"""

import sys

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
import identity  # noqa: E402

SAME = [
    ("int a; // first\n", "int a;\n"),
    ("int/**/a;", "int a ;"),
    ("int a = b /* c\n d */ + c;", "int a = b\n+ c;"),
    ("#define A \\\n  1\nint a;", "#define A 1\n  int a;\n"),
    ("#  define A(x) x\n", "#define A( x ) x // none\n"),
    ('"a // b" x', '"a // b"\n\n  x'),
    (r"'\'' /* ' */ y", r"'\'' y"),
    ("a // b \\\n c\nd", "a\nd"),
]
DIFFERENT = [
    ("a + +b;", "a ++b;"),
    ("a - -b;", "a-- b;"),
    ("int ab;", "int a b;"),
    ('"a b"', '"ab"'),
    ('"/* a */"', '""'),
    ('"//"', '"/ /"'),
    (r'"\"/*" x "*/"', r'"\"/*" y "*/"'),
    ("#define A (x)\n", "#define A(x)\n"),
    ("#define A\nb", "#define A b\n"),
    ("#if A\nb\n#endif", "#if B\nb\n#endif"),
    ("1e+2", "1e +2"),
    ("0x1", "0x2"),
    ("a < < b", "a << b"),
    ("a # # b", "a ## b"),
]

wrong = [pair for pair in SAME if identity.tokens(pair[0]) != identity.tokens(pair[1])]
wrong += [pair for pair in DIFFERENT if identity.tokens(pair[0]) == identity.tokens(pair[1])]
sys.exit("\n".join(map(repr, wrong)) or 0)
