"""Random C and C++ programs that compute MPI arguments in tricky ways, without undefined behaviour.

A program has four files: shared.h, again.h, a.c (or .cpp), and b.c, a translation unit of its own. It is soup
(random statements, made here) around gadgets (gadgets.txt: what real programs do, with holes that are
filled here). Every expression carries the interval that its value lies in, so that nothing overflows,
no index leaves its array, and every count and tag is legal.
"""

import os
import random
import re

TYPES = ["MPI_DOUBLE", "MPI_INT", "MPI_BYTE", "MPI_CHAR", "MPI_FLOAT", "MPI_SHORT", "MPI_LONG",
         "MPI_C_DOUBLE_COMPLEX"]
# Around 256 bytes for elements of 1, 2, 4, 8 and 16 bytes, where short turns into long.
COUNTS = [0, 1, 2, 8, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 200, 255, 256, 257, 511, 512, 513, 1023, 1024, 1025]
LARGEST_COUNT = 2000  # the buffer has room for so many elements of 16 bytes
INT_VARIABLES = [("int", -1000, 1000), ("unsigned", 0, 1000), ("short", -1000, 1000),
                 ("signed char", -100, 100), ("unsigned char", 0, 200), ("long", -1000, 1000),
                 ("int", 0, 40), ("int", 0, 300), ("volatile int", 0, 100), ("long long", 0, 1000)]


class Variable:
    def __init__(self, text, low, high, writable=True, addressable=False):
        self.text, self.low, self.high = text, low, high
        self.writable, self.addressable = writable, addressable


class Scope:
    """What a statement may use: variables, and (rank, size, communicator) as (expression, ...)."""

    def __init__(self, variables, ranks, callees=(), depth=None):
        self.variables, self.ranks = list(variables), list(ranks)
        self.callees, self.depth = list(callees), depth
        self.may_jump, self.in_loop, self.labels = True, False, 0


class Generator:
    def __init__(self, seed, cplusplus):
        self.random = random.Random(seed)
        self.cplusplus = cplusplus
        self.unique = 0
        self.globals, self.helpers, self.functions = [], [], []

    # --- chance ---

    def number(self, low, high):
        return self.random.randint(low, high)

    def one_of(self, items):
        return self.random.choice(items)

    def one_in(self, n):
        return self.random.randrange(n) == 0

    def name(self, prefix):
        self.unique += 1
        return f"{prefix}{self.unique}"

    # --- expressions: (text, low, high), all of type int and without side effects ---

    def leaf(self, scope):
        if self.one_in(4) or not scope.variables:
            value = self.one_of([self.number(-5, 9), self.number(0, 300)])
            return (f"({value})" if value < 0 else str(value)), value, value
        if self.one_in(5) and scope.ranks:
            rank, size, _ = self.one_of(scope.ranks)
            return (rank, -8, 8) if self.one_in(2) else (size, 1, 8)
        variable = self.one_of(scope.variables)
        return f"(int){variable.text}", variable.low, variable.high

    def expression(self, scope, depth=2):
        if depth == 0 or self.one_in(4):
            return self.leaf(scope)
        a, a_low, a_high = self.expression(scope, depth - 1)
        kind = self.number(0, 16)
        if kind <= 4:
            b, b_low, b_high = self.expression(scope, depth - 1)
            if kind == 0 and max(map(abs, (a_low, a_high, b_low, b_high))) < 30000:
                corners = [x * y for x in (a_low, a_high) for y in (b_low, b_high)]
                return f"({a} * {b})", min(corners), max(corners)
            if max(map(abs, (a_low, a_high, b_low, b_high))) > 2**29:
                return a, a_low, a_high
            if kind <= 2:
                return f"({a} + {b})", a_low + b_low, a_high + b_high
            if kind == 3:
                return f"({a} - {b})", a_low - b_high, a_high - b_low
            # Wraps around in between, not in the end.
            return f"(int)((unsigned){a} - (unsigned){b})", a_low - b_high, a_high - b_low
        if kind == 5:
            k = self.number(1, 20)
            return f"({a} % {k})", (1 - k if a_low < 0 else 0), k - 1
        if kind == 6:
            k = self.number(1, 9)
            return f"({a} / {k})", min(a_low, 0), max(a_high, 0)
        if kind == 7:
            k = self.one_of([1, 3, 7, 15, 31, 63, 6, 12, 127])
            return f"({a} & {k})", 0, k
        if kind == 8:
            k = self.number(1, 200)
            return f"(int)((unsigned){a} % {k}u)", 0, k - 1
        if kind == 9:
            b, b_low, b_high = self.expression(scope, depth - 1)
            condition = self.condition(scope, 1)
            return f"({condition} ? {a} : {b})", min(a_low, b_low), max(a_high, b_high)
        if kind == 10:
            return f"(int)(signed char){a}", -128, 127
        if kind == 11:
            return f"(int)(unsigned char){a}", 0, 255
        if kind == 12 and scope.ranks:
            size = self.one_of(scope.ranks)[1]
            return f"({a} % {size})", (-7 if a_low < 0 else 0), 7
        if kind == 13:
            k = self.number(0, 3)
            return f"({a} >> {k})", a_low >> k, a_high >> k
        if kind == 14:
            return f"(!!{self.condition(scope, 1)})", 0, 1
        if kind == 15 and self.helpers:
            helper, low, high = self.one_of(self.helpers)
            return f"{helper}({self.fit(self.expression(scope, 1), -1000, 1000)})", low, high
        return f"(-{a})", -a_high, -a_low

    def fit(self, expression, low, high):
        """The expression's text, made to lie in [low, high] in one of several ways."""
        text, e_low, e_high = expression
        if low <= e_low and e_high <= high:
            return text
        width = high - low + 1
        kind = self.number(0, 3)
        if kind == 0 and width > 1:
            mask = (1 << (width.bit_length() - 1)) - 1
            return f"({low} + ({text} & {mask}))"
        if kind == 1:
            return f"({low} + (int)((unsigned){text} % {width}u))"
        if kind == 2:
            return f"({text} < {low} ? {low} : {text} > {high} ? {high} : {text})"
        return f"FIT({text}, {low}, {high})"

    def condition(self, scope, depth=2):
        kind = self.number(0, 9)
        if depth and kind == 0:
            return f"({self.condition(scope, depth - 1)} && {self.condition(scope, depth - 1)})"
        if depth and kind == 1:
            return f"({self.condition(scope, depth - 1)} || {self.condition(scope, depth - 1)})"
        if depth and kind == 2:
            return f"!({self.condition(scope, depth - 1)})"
        if kind <= 6 and scope.ranks:
            return self.rank_condition(*self.one_of(scope.ranks)[:2])
        operator = self.one_of(["==", "!=", "<", "<=", ">", ">="])
        a = self.expression(scope, 1)[0]
        if self.one_in(2):
            return f"({a} {operator} {self.number(-2, 200)})"
        return f"({a} {operator} {self.expression(scope, 1)[0]})"

    def rank_condition(self, r, s):
        k = self.number(0, 4)
        op = self.one_of(["==", "!=", "<", "<=", ">", ">="])
        return self.one_of([
            f"({r} {op} {k})", f"({k} {op} {r})", f"({r} {op} {s} - {k})", f"({s} {op} {k})",
            f"({s} - {k} {op} {r})", f"({r} + {k} {op} {s})", f"({r} % 2 {op} {k % 2})", f"({r} & 1)",
            f"({r})", f"(!{r})", f"((unsigned){r} {op} {k}u)", f"({r} - {k} {op} 0)",
            f"((unsigned){r} - {k}u {op} (unsigned){s})", f"({s} > 1)", f"({s} >= 2)",
            f"({r} {op} {s} / 2)", f"({r} {op} {s})"])

    def peer(self, r, s, depth=1):
        """A rank that programs compute: neighbours, mirrors, partners, constants."""
        k = self.one_of([0, 1, 1, 1, 1, 2, 3, 4, 7, 8, 100])
        op = self.one_of(["==", "!=", "<", "<=", ">", ">="])
        j = self.number(-1, 2)
        arms = [f"{r} + 1", f"{r} - 1", "0", f"{s} - 1", f"{r} + {k}", f"{r} + {k} - {s}",
                f"{r} - {k} + {s}", "1", r, f"{s} - {r} - 1", "MPI_PROC_NULL"]
        bounds = ["0", "1", f"{s} - 1", f"{s} - 2", f"{s}", f"{s} - {k}", str(k), f"{k} - 1"]
        choice = (f"({r} {op} {self.one_of(bounds)} ? {self.one_of(arms)} : {self.one_of(arms)})"
                  if self.one_in(2) else
                  f"({self.one_of(bounds)} {op} {r} ? {self.one_of(arms)} : {self.one_of(arms)})")
        forms = [
            f"({r} + {k}) % {s}", f"({r} - {k} + {s}) % {s}", f"({r} + {s} - {k}) % {s}",
            f"({s} + {r} + {j}) % {s}", f"({r} + {k} * {s}) % {s}", f"({r} - {k}) % {s}",
            f"(int)(((unsigned){r} + {k}u) % (unsigned){s})",
            f"(int)(((unsigned){r} - {k}u) % (unsigned){s})",
            f"(int)(((unsigned)({r} - {k}) + (unsigned){s}) % (unsigned){s})",
            f"(int)(((long){r} + {k}) % {s})", f"({r} + 536870911) % {s}",
            choice, choice, choice, choice, choice, choice,
            f"{r} ^ {self.number(0, 3)}", f"{r} & ~1", f"{r} / 2 * 2", f"{r} | 1",
            f"{r} + ({r} % 2 ? -1 : 1)", f"{r} * 2 % {s}", f"({r} + {s} / 2) % {s}", f"{r} % {s}",
            f"{s} - 1 - {r}", f"({r} + 1) & ({s} - 1)", f"!{r}", f"{r} == {k}",
            f"({r} + 1 < {s} ? {r} + 1 : {s} - 1)", f"({r} - 1 > 0 ? {r} - 1 : 0)",
            f"({r} > {s} - 1 - {r} ? {r} : {s} - 1 - {r})", "0", f"{s} - 1", "1", r, str(k % 8),
            f"({r} + 1 == {s} ? 0 : {r} + 1)", f"({r} ? {r} - 1 : {s} - 1)",
            f"({r} < 1 ? {s} : {r}) - 1", f"({r} + 1) % {s} - {j}", f"(short)({r} + {k}) % {s}",
            f"(int)(unsigned char)({r} - {k})"]
        if depth and self.one_in(6):
            condition = self.rank_condition(r, s)
            return f"({condition} ? {self.peer(r, s, 0)} : {self.peer(r, s, 0)})"
        return self.one_of(forms)

    # --- arguments ---

    def count(self, scope):
        kind = self.number(0, 4)
        if kind == 0 or not scope.variables:
            return str(self.one_of(COUNTS))
        if kind == 1:
            variables = [v for v in scope.variables if v.low >= 0]
            if variables:
                return f"(int){self.one_of(variables).text}"
        top = self.one_of([7, 16, 17, 32, 33, 128, 256, 257, 1024, LARGEST_COUNT])
        return self.fit(self.expression(scope), 0, top)

    def datatype(self, scope):
        kind = self.number(0, 7)
        if kind == 0:
            return f"({self.condition(scope, 0)} ? {self.one_of(TYPES)} : {self.one_of(TYPES)})"
        if kind == 1:
            return f"type_table[{self.fit(self.expression(scope), 0, 3)}]"
        if kind == 2:
            return self.one_of(["OUR_TYPE", "fixed_type", "changed_type", "type"])
        return self.one_of(TYPES)

    def tag(self, scope):
        return self.one_of([str(self.number(0, 9)), self.fit(self.expression(scope), 0, 32000)])

    def peer_argument(self, scope, rank, size, receives):
        if self.one_in(8):
            return "MPI_PROC_NULL"
        if receives and self.one_in(6):
            return "MPI_ANY_SOURCE"
        if self.one_in(8):
            return self.fit(self.expression(scope), 0, 7)
        if self.one_in(8):
            other = "MPI_ANY_SOURCE" if receives and self.one_in(2) else "MPI_PROC_NULL"
            return f"({self.condition(scope, 1)} ? {self.peer(rank, size)} : {other})"
        return self.peer(rank, size)

    def arguments(self, scope, receives=False, communicator=True):
        """count, datatype, peer, tag and communicator of a point-to-point call."""
        rank, size, comm = self.one_of(scope.ranks)
        tag = "MPI_ANY_TAG" if receives and self.one_in(6) else self.tag(scope)
        peer = self.peer_argument(scope, rank, size, receives)
        text = f"{self.count(scope)}, {self.datatype(scope)}, {peer}, {tag}"
        return f"{text}, {comm}" if communicator else text

    # --- statements: lists of lines ---

    def call(self, scope):
        """One MPI call that is complete in itself."""
        comm = self.one_of(scope.ranks)[2]
        status = self.one_of(["MPI_STATUS_IGNORE", "&status", "0 ? &status : MPI_STATUS_IGNORE"])
        root = self.fit(self.expression(scope, 1), 0, 7)
        kind = self.number(0, 15)
        if kind <= 5:
            function = self.one_of(["Send", "Send", "Send", "Ssend", "Bsend", "Rsend"])
            macro = self.one_of(["MPI_{0}({1});", "MPI_{0}({1});", "CHECKED(MPI_{0}({1}));",
                                 "TWICE(MPI_{0}({1}));", "WRAPPED({0}, {1});",
                                 "outside_poke(), MPI_{0}({1});", "if (MPI_{0}({1})) exit(1);"])
            return [macro.format(function, f"buffer, {self.arguments(scope)}")]
        if kind <= 8:
            return [f"MPI_Recv(buffer, {self.arguments(scope, True)}, {status});"]
        if kind == 9:
            send = self.arguments(scope, communicator=False)
            receive = self.arguments(scope, True, communicator=False)
            return [f"MPI_Sendrecv(buffer, {send}, other_buffer, {receive}, {comm}, {status});"]
        if kind == 10:
            start = self.one_of(["MPI_Isend", "MPI_Issend", "MPI_Irecv"])
            arguments = self.arguments(scope, start == "MPI_Irecv")
            return [f"{start}(buffer, {arguments}, &request);", f"MPI_Wait(&request, {status});"]
        if kind == 11:
            return [f"MPI_Bcast(buffer, {self.count(scope)}, {self.datatype(scope)}, {root}, {comm});"]
        if kind == 12:
            return [f"MPI_Allreduce(buffer, other_buffer, {self.count(scope)}, "
                    f"{self.datatype(scope)}, MPI_SUM, {comm});"]
        if kind == 13:
            return [f"MPI_Reduce(buffer, other_buffer, {self.count(scope)}, {self.datatype(scope)}, "
                    f"MPI_MAX, {root}, {comm});"]
        if kind == 14:
            function = self.one_of(["MPI_Alltoall", "MPI_Allgather"])
            return [f"{function}(buffer, {self.count(scope)}, {self.datatype(scope)}, other_buffer, "
                    f"{self.count(scope)}, {self.datatype(scope)}, {comm});"]
        return [f"MPI_Barrier({comm});"]

    def receive_into(self, scope):
        """MPI writes a variable that the program computes with."""
        targets = [v for v in scope.variables if v.addressable and v.low <= 0 and v.high >= 40]
        if not targets:
            return self.call(scope)
        target = self.one_of(targets).text
        rank, size, comm = self.one_of(scope.ranks)
        peer = self.peer(rank, size)
        return [self.one_of([
            f"MPI_Recv(&{target}, 1, MPI_INT, {peer}, 3, {comm}, MPI_STATUS_IGNORE);",
            f"MPI_Bcast(&{target}, 1, MPI_INT, {self.number(0, 7)}, {comm});",
            f"MPI_Allreduce(buffer, &{target}, 1, MPI_INT, MPI_SUM, {comm});",
            f"MPI_Sendrecv_replace(&{target}, 1, MPI_INT, 0, 3, 1, 3, {comm}, MPI_STATUS_IGNORE);",
            f"MPI_Send(&{target}, 1, MPI_INT, {peer}, 3, {comm});",
            f"outside_poke();",
            f"MPI_Get_count(&status, MPI_INT, &{target});"])]

    def assignment(self, scope):
        targets = [v for v in scope.variables if v.writable]
        if not targets:
            return self.call(scope)
        target = self.one_of(targets)
        if self.one_in(8):
            low, high = max(target.low, -500), min(target.high, 500)
            return [f"{target.text} = outside_number({low}, {high});"]
        return [f"{target.text} = {self.fit(self.expression(scope), target.low, target.high)};"]

    def query(self, scope):
        """Asks for rank and size again: the same, or those of another communicator."""
        rank, size, comm = self.one_of(scope.ranks)
        if self.one_in(4):
            comm = self.one_of(scope.ranks)[2]
        if not re.fullmatch(r"[a-z_0-9.]+", rank) or not re.fullmatch(r"[a-z_0-9.]+", size):
            return []
        return [f"MPI_Comm_rank({comm}, &{rank});", f"MPI_Comm_size({comm}, &{size});"]

    def indented(self, lines):
        return ["  " + line for line in lines]

    def block(self, scope, size, depth):
        lines = []
        for _ in range(size):
            lines += self.statement(scope, depth)
        return lines

    def statement(self, scope, depth):
        kind = self.number(0, 27)
        if depth == 0 or kind <= 8:
            return self.call(scope)
        if kind <= 11:
            return self.assignment(scope)
        if kind <= 13:
            return self.receive_into(scope)
        if kind == 14:
            return self.query(scope)
        if kind <= 18:
            lines = [f"if ({self.condition(scope)}) {{"]
            lines += self.indented(self.block(scope, self.number(1, 3), depth - 1))
            if self.one_in(2):
                lines += ["} else {"] + self.indented(self.block(scope, self.number(1, 2), depth - 1))
            return lines + ["}"]
        if kind <= 21:
            return self.loop(scope, depth)
        if kind == 22:
            return self.switch(scope, depth)
        if kind == 23 and scope.may_jump:
            escape = self.one_of(["goto done;", "goto done;", "exit(0);",
                                  "MPI_Abort(MPI_COMM_WORLD, 3);"])
            if scope.in_loop:
                escape = self.one_of([escape, "break;", "continue;"])
            return [f"if ({self.condition(scope)})", "  " + escape]
        if kind <= 25 and scope.callees:
            return self.invoke(scope)
        if kind == 26:
            return self.pending(scope, depth)
        return [f"type = {self.datatype(scope)};"]

    def loop(self, scope, depth):
        variable = self.name("i")
        kind = self.number(0, 5)
        rank, size, _ = self.one_of(scope.ranks)
        low = self.one_of([0, 1, 2])
        limit, high = self.one_of([(str(n), n) for n in (2, 3, 5, 7)] + [(size, 8), (f"{size} - 1", 7)])
        heads = [
            (f"for (int {variable} = {low}; {variable} < {limit}; {variable}++)", low, high - 1),
            (f"for (int {variable} = {limit}; {variable} > {low}; --{variable})", low, high),
            (f"for (int {variable} = {limit}; {variable}-- > 0;)", 0, high),
            (f"for (unsigned {variable} = 1; {variable} < 300u; {variable} *= {self.number(3, 9)})",
             1, 299),
            (f"for (int {variable} = ({rank}) + 1; {variable} < {limit}; ++{variable})", -7, high),
            (f"for (signed char {variable} = 0; {variable} != {self.number(1, 6)}; {variable}++)", 0, 5)]
        head, v_low, v_high = heads[kind]
        inner = Scope(scope.variables + [Variable(variable, v_low, max(v_low, v_high), False)],
                      scope.ranks + ([(scope.ranks[0][0], size, scope.ranks[0][2])] if kind else []),
                      scope.callees, scope.depth)
        inner.may_jump, inner.in_loop = scope.may_jump, scope.may_jump
        body = self.block(inner, self.number(1, 3), depth - 1)
        if self.one_in(3) and size.isidentifier() and kind == 0:
            peer = f"(int){variable}"
            body += [f"if ({peer} != {rank})" if self.one_in(2) else "",
                     f"  MPI_Send(buffer, {self.count(inner)}, MPI_INT, {peer}, 1, "
                     f"{scope.ranks[0][2]});"]
        return [head + " {"] + self.indented([line for line in body if line]) + ["}"]

    def switch(self, scope, depth):
        lines = [f"switch ({self.fit(self.expression(scope), 0, 4)}) {{"]
        cases = self.random.sample(range(5), self.number(1, 3))
        was, scope.in_loop = scope.in_loop, False
        for case in cases:
            lines += [f"case {case}:"] + self.indented(self.block(scope, 1, depth - 1))
            lines += [] if self.one_in(3) else ["  break;"]
        if self.one_in(2):
            lines += ["default:"] + self.indented(self.block(scope, 1, depth - 1))
        scope.in_loop = was
        return lines + ["}"]

    def invoke(self, scope):
        callee = self.one_of(scope.callees)
        rank, size, comm = self.one_of(scope.ranks)
        first = self.one_of([str(self.number(0, 200)), self.fit(self.expression(scope), 0, 300)])
        second = self.one_of(["7", self.fit(self.expression(scope), -1000, 1000)])
        return [f"{callee}({first}, {second}, {self.one_of([rank, rank, size])}, {comm});"]

    def pending(self, scope, depth):
        """A receive that may write its variable in any call until it is waited for."""
        variable = self.name("late")
        rank, size, comm = self.one_of(scope.ranks)
        was, scope.may_jump = scope.may_jump, False
        between = self.block(scope, self.number(1, 2), 1)
        scope.may_jump = was
        storage = self.one_of(["", "", "static "])
        lines = ["{", f"  {storage}int {variable} = {self.number(0, 40)};",
                 f"  MPI_Irecv(&{variable}, 1, MPI_INT, {self.peer(rank, size)}, 2, {comm}, "
                 "&late_request);"]
        lines = lines[:1] + ["  MPI_Request late_request;"] + lines[1:]
        lines += self.indented(between) + ["  MPI_Wait(&late_request, MPI_STATUS_IGNORE);"]
        inner = Scope(scope.variables + [Variable(variable, 0, 40, False)], scope.ranks)
        inner.may_jump = False
        return lines + self.indented(self.call(inner)) + [
            f"  MPI_Send(buffer, {variable}, MPI_INT, 1, {variable}, {comm});", "}"]

    # --- top level ---

    def helper(self):
        name = self.name("helper")
        scope = Scope([Variable("x", -1000, 1000, False)] + self.globals, [])
        text, low, high = self.expression(scope, 2)
        qualifier = self.one_of(["static int", "static inline int", "NOINLINE static int"])
        self.helpers.append((name, low, high))
        return [f"{qualifier} {name}(int x) {{ return {text}; }}"]

    def global_variables(self):
        lines = []
        for _ in range(self.number(4, 9)):
            ctype, low, high = self.one_of(INT_VARIABLES)
            name, value = self.name("g"), self.number(max(low, 0), high)
            storage = self.one_of(["static", "static", "static", "static const", ""])
            if "const" in storage and "volatile" in ctype:
                continue
            writable = "const" not in storage and not self.one_in(3)
            lines.append(f"{storage} {ctype} {name} = {value};".strip())
            plain = ctype == "int" and "const" not in storage
            self.globals.append(Variable(name, low, high, writable, plain and self.one_in(2)))
        lines += ["static struct pair { int first; unsigned bits : 5; short last; } pair = {7, 9, 11};",
                  "static int list[4] = {1, 2, 3, 4};"]
        self.globals += [Variable("pair.first", -500, 500, self.one_in(2), True),
                         Variable("pair.bits", 0, 31, self.one_in(2)),
                         Variable("list[2]", 0, 300, self.one_in(2), self.one_in(2))]
        return lines

    def function(self):
        """static int f(count, any, rank or size, communicator), sometimes seen by b.c as well."""
        name = self.name("f")
        extern = self.one_in(3)
        qualifier = "int" if extern else self.one_of(["static int", "NOINLINE static int"])
        ranks = [("r", "s", "MPI_COMM_WORLD"), ("r", "s", "MPI_COMM_WORLD"), ("own", "own_size", "c")]
        local = []
        lines = [f"{qualifier} {name}(int a, int b, int given, MPI_Comm c) {{",
                 "  int r = 0, s = 1, own = 0, own_size = 1;", "  MPI_Status status = {0};"]
        lines[-1] = "  MPI_Status status;"
        lines += ["  MPI_Request request;", "  MPI_Datatype type = MPI_INT;"]
        for _ in range(self.number(1, 4)):
            ctype, low, high = self.one_of(INT_VARIABLES)
            variable = self.name("v")
            kept = ctype == "int" and self.one_in(4)
            local.append(Variable(variable, low, high, True, ctype == "int"))
            lines.append(f"  {ctype} {variable} = {self.number(max(low, 0), high)};")
            if kept:
                lines.append(f"  outside_keep(&{variable}, {low}, {high});")
                local[-1].kept = True
        lines += ["  (void)a, (void)b, (void)given, (void)request, (void)type;",
                  "  memset(&status, 0, sizeof status);", "  SPEND();",
                  "  MPI_Comm_rank(MPI_COMM_WORLD, &r);", "  MPI_Comm_size(MPI_COMM_WORLD, &s);"]
        if self.one_in(4):
            lines[-2] = f"  if (a > {self.number(0, 200)}) {lines[-2].strip()}"
        lines += self.one_of([["  MPI_Comm_rank(c, &own);", "  MPI_Comm_size(c, &own_size);"],
                              ["  own = given & 7;", "  MPI_Comm_size(c, &own_size);"]])
        if self.one_in(3):
            lines += self.one_of([
                [f"  if (s < {self.number(1, 3)}) goto done;"],
                [f"  if (s < {self.number(1, 3)}) MPI_Abort(MPI_COMM_WORLD, 1);"],
                [f"  if (s == {self.number(1, 3)}) exit(0);"]])
        variables = local + self.globals + [Variable("a", 0, 300), Variable("b", -1000, 1000)]
        scope = Scope(variables, ranks, self.functions)
        lines += self.indented(self.block(scope, self.number(4, 8), 3))
        lines += ["done:;"] + [f"  outside_forget(&{v.text});" for v in local
                               if getattr(v, "kept", False)]
        lines += ["  return 0;", "}"]
        self.functions.append(name)
        return lines, (name if extern else None)

    # --- gadgets ---

    def fill(self, text):
        """Fills the holes of a gadget: {{3..9}}, {{this|that}}, {{peer r s}}, ..."""
        number = self.name("")
        text = text.replace("@", number)
        scope = Scope(self.globals, [])

        def hole(match):
            body = match.group(1)
            span = re.fullmatch(r"(-?\d+)\.\.(-?\d+)", body)
            if span:
                return str(self.number(int(span.group(1)), int(span.group(2))))
            word, *rest = body.split(" ")
            if word == "peer" and len(rest) == 2:
                return self.peer(*rest)
            if word == "if" and len(rest) == 2:
                return self.rank_condition(*rest)
            if body == "count":
                return str(self.one_of(COUNTS))
            if body == "type":
                return self.one_of(TYPES)
            if body == "soup":
                return self.count(scope)
            return self.one_of(body.split("|"))

        while re.search(r"\{\{[^{}]*\}\}", text):
            text = re.sub(r"\{\{([^{}]*)\}\}", hole, text)
        return text

    def gadgets(self):
        """Chosen gadgets as {part: text}."""
        path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "gadgets.txt")
        with open(path) as file:
            sections = re.split(r"^//// ", file.read(), flags=re.M)[1:]
        # "odd places" is there twice: C has places that C++ has not.
        known = [s for s in sections if self.cplusplus == s.split("\n", 1)[0].endswith("c++")
                 or self.cplusplus and not s.startswith("odd")]
        parts = {"shared": "", "a": "", "b": "", "again": ""}
        chosen = self.random.sample(known, min(len(known), self.number(4, 9)))
        if self.one_in(6):  # much of one thing, for what Folds.cpp has to say about neighbours
            chosen = [s for s in known if s.startswith("ring")] * 12
        for section in chosen:
            text = self.fill(section.split("\n", 1)[1])
            pieces = re.split(r"^//-- (\w+)\n", "//-- a\n" + text, flags=re.M)[1:]
            for part, piece in zip(pieces[::2], pieces[1::2]):
                parts[part] += piece
        return parts

    def program(self):
        """{file name: text}"""
        suffix = "cpp" if self.cplusplus else "c"
        top = self.global_variables()
        for _ in range(self.number(1, 4)):
            top += self.helper()
        shared_names = []
        for _ in range(self.number(2, 4)):
            lines, seen = self.function()
            top += [""] + lines
            shared_names += [seen] if seen else []
        gadgets = self.gadgets()
        entries = {part: re.findall(r"^(?:\w+ )*void (enter\w+)\(void\)", gadgets[part], flags=re.M)
                   for part in ("a", "b")}
        declared = [f"extern int {name}(int, int, int, MPI_Comm);" for name in shared_names]
        kept = [f"  outside_keep(&{v.text}, {max(v.low, 0)}, {v.high});" for v in self.globals
                if v.addressable and self.one_in(3)]
        run = ["int main(int argc, char **argv) {", "  int turn, r;", "  MPI_Init(&argc, &argv);",
               "  MPI_Comm_rank(MPI_COMM_WORLD, &r);"] + kept
        run += ["  for (turn = 0; turn < 3; turn++) {"]
        run += [f"    {name}();" for name in entries["a"]]
        run += ["    outside_turn();"]
        for name in self.functions:
            run.append(f"    {name}({self.number(0, 200)}, {self.number(-9, 9)}, r, "
                       f"{self.one_of(['MPI_COMM_WORLD', 'MPI_COMM_WORLD', 'MPI_COMM_SELF'])});")
        run += ["  }", "  MPI_Finalize();", "  printf(\"end\\n\");", "  return 0;", "}"]
        turn = ["void outside_turn(void) {"]
        turn += [f"  {name}(outside_number(0, 300), outside_number(-1000, 1000), 1, "
                 f"{self.one_of(['MPI_COMM_WORLD', 'MPI_COMM_SELF'])});" for name in shared_names]
        turn += [f"  {name}();" for name in entries["b"]] + ["}"]
        a = ['#include "shared.h"', ""] + top + ["", gadgets["a"]] + run
        b = ['#include "shared.h"', ""] + declared + ["", gadgets["b"]] + turn
        shared = HEADER + "\n" + gadgets["shared"] + "\n#endif\n"
        return {"shared.h": shared, "again.h": gadgets["again"], f"a.{suffix}": "\n".join(a) + "\n", f"b.{suffix}": "\n".join(b) + "\n"}


HEADER = """#ifndef SHARED_H
#define SHARED_H
#include <mpi.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "outside.h"

#define NOINLINE __attribute__((noinline))
#define FIT(VALUE, LOW, HIGH) ((VALUE) < (LOW) ? (LOW) : (VALUE) > (HIGH) ? (HIGH) : (VALUE))
#define CHECKED(CALL) \\
  do { \\
    if ((CALL) != MPI_SUCCESS) \\
      exit(2); \\
  } while (0)
#define TWICE(CALL) CALL; CALL
#define WRAPPED(NAME, ...) CHECKED(MPI_##NAME(__VA_ARGS__))
#define SPEND() \\
  do { \\
    if (++spent > 4000) \\
      exit(0); \\
  } while (0)
#define OUR_TYPE MPI_FLOAT

static int spent;
static double buffer[8192], other_buffer[8192];
static const MPI_Datatype fixed_type = MPI_SHORT;
static MPI_Datatype changed_type = MPI_INT;
static MPI_Datatype type_table[4] = {MPI_INT, MPI_DOUBLE, MPI_BYTE, MPI_LONG};

static inline void use_all(int n) {
  changed_type = n > 3 ? MPI_DOUBLE : MPI_INT;
  (void)fixed_type, (void)type_table, (void)buffer, (void)other_buffer, (void)spent;
}

#ifdef __cplusplus
extern "C" {
#endif
void outside_turn(void);
#ifdef __cplusplus
}
#endif
"""
