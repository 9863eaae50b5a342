/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const at = id => document.getElementById(id);
const forms = ["inline", "ordinary", "left"];

/// element("a", {href: "#x"}, "text", child): a child that is no element becomes text, never markup.
function element(tag, attributes, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes))
    if (value !== undefined) made.setAttribute(name, value);
  made.append(...children.filter(child => child !== undefined));
  return made;
}
const counted = (n, noun) => `${n} ${noun}${n === 1 ? "" : "s"}`;

/// A table that a click on a head sorts. A column: {head, value: row => string or number, cell: row => shown content}.
function table(columns, rows, sorted = 0, down = false) {
  const body = element("tbody", {});
  const heads = columns.map((column, n) => {
    const button = element("button", {type: "button"}, column.head);
    const numeric = rows.length && typeof column.value(rows[0]) === "number";
    button.addEventListener("click", () => sort(n, sorted === n ? !down : numeric));
    return element("th", {scope: "col", class: numeric ? "number" : ""}, button);
  });
  const drawn = new Map(rows.map(row => [row, element("tr", {}, ...columns.map(column => {
    const value = column.value(row);
    return element("td", {class: typeof value === "number" ? "number" : ""},
                   column.cell ? column.cell(row) : String(value));
  }))]));
  const before = new Intl.Collator("en", {numeric: true}).compare;
  function sort(column, descending) {
    [sorted, down] = [column, descending];
    const key = columns[column].value;
    const order = (l, r) => typeof key(l) === "number" ? key(l) - key(r) : before(key(l), key(r));
    rows.sort((l, r) => down ? order(r, l) : order(l, r));
    heads.forEach((head, n) => {
      if (n === sorted) head.setAttribute("aria-sort", down ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    });
    body.replaceChildren(...rows.map(row => drawn.get(row)));
  }
  sort(sorted, down);
  const whole = element("div", {class: "scroll"},
                        element("table", {}, element("thead", {}, element("tr", {}, ...heads)), body));
  return {whole, rowOf: row => drawn.get(row)};
}

/// Fills a section with a table, or with the text `nothing` if there are no rows.
function show(id, columns, rows, nothing, sorted, down) {
  if (!rows.length) return at(id).append(element("p", {class: "dim"}, nothing));
  at(id).append(table(columns, rows, sorted, down).whole);
}

//--- Overview ---------------------------------------------------------------------------------------

const sites = data.files.flatMap(file => file.sites.map(site => Object.assign(site, {file})));
const totals = data.report;

/// Hides the parts about remarks. A profile of a program in Fortran, for example, has no remarks.
function withoutRemarks() {
  for (const id of ["overview", "edits", "calls"])
    at(id).hidden = document.querySelector(`nav a[href="#${id}"]`).hidden = true;
  document.querySelector(".legend").hidden = true;
  at("base").textContent = data.profile.program;
}

function overview() {
  at("base").textContent = `${counted(totals.units, "translation unit")} below ${data.base || "."}`;
  const found = totals.sites.found;
  const tile = (number, text, kind = "") =>
    at("tiles").append(element("div", {class: "tile " + kind}, element("b", {}, String(number)), text));
  tile(found, "calls");
  tile(totals.sites.inline, "inline", "inline");
  tile(totals.sites.ordinary, "ordinary", "ordinary");
  tile(found - totals.sites.inline - totals.sites.ordinary, "left", "left");
  if (totals.warnings) tile(totals.warnings, totals.warnings === 1 ? "warning" : "warnings", "left");
  for (const form of forms) {
    const number = sites.filter(site => site.form === form).length;
    at("bar").append(element("span", {class: form, style: `flex:${number}`, title: `${number} ${form}`}));
  }
  at("bar").setAttribute("aria-label", forms.map(f => `${sites.filter(s => s.form === f).length} ${f}`).join(", "));
  const left = counts => counts.found - counts.inline - counts.ordinary;
  show("functions", [
    {head: "function", value: row => row[0], cell: row => element("code", {}, row[0])},
    {head: "calls", value: row => row[1].found}, {head: "inline", value: row => row[1].inline},
    {head: "ordinary", value: row => row[1].ordinary}, {head: "left", value: row => left(row[1])},
  ], Object.entries(totals.functions), "No MPI call was found.", 1, true);
  rates();
  const lost = Object.entries(totals.fallbacks).flatMap(([id, units]) => units.map(unit => ({id, unit})));
  if (lost.length) {
    at("fallbacks").append(element("h3", {}, "Compiled without mpispec"));
    show("fallbacks", [{head: "unit", value: row => row.unit}, {head: "reason", value: row => row.id,
      cell: row => `${data.sentences[row.id] || ""} [${row.id}]`}], lost);
  }
}

function rates() {
  const groups = [["send_recv", "send and receive"], ["allreduce", "Allreduce"]]
    .map(([key, name]) => ({key, name, known: totals.rates[key]})).filter(group => group.known.sites);
  const rows = data.rates.flatMap(rate => groups.filter(group => rate.key in group.known).map(group =>
    ({label: rate.label, group, part: group.known[rate.key] / group.known.sites, written: rate[group.key]})));
  show("rates", [
    {head: "argument", value: row => row.label}, {head: "calls", value: row => row.group.name},
    {head: "known", value: row => row.part, cell: row => element("span", {},
      element("span", {class: "meter"}, element("i", {style: `width:${100 * row.part}%`})),
      element("span", {class: "percent"}, `${Math.round(100 * row.part)} %`))},
    {head: "written*", value: row => row.written, cell: row => row.written ? `${row.written} %` : "-"},
  ], rows, "No call that sends, receives or reduces.", 1, true);
  if (rows.length)
    at("rates").append(element("p", {class: "dim"},
      "* written as a constant, in the C and C++ programs of the EuroMPI'23 study"));
}

//--- What to edit -----------------------------------------------------------------------------------

function edits() {
  show("hints", [
    {head: "calls it frees", value: hint => hint.calls},
    {head: "edit", value: hint => hint.edit},
    {head: "in", value: hint => hint.scope},
    {head: "file", value: hint => hint.file},
    {head: "remark", value: hint => hint.id, cell: hint => element("span",
      {title: data.sentences[hint.id]}, hint.id)},
  ], totals.hints, "Nothing: no edit of the sources is known that would free a call.", 0, true);
  show("missed", [
    {head: "calls", value: miss => miss.sites},
    {head: "reason", value: miss => miss.id,
     cell: miss => `${data.sentences[miss.id] || ""} [${miss.id}]`},
    {head: "argument", value: miss => miss.argument},
    {head: "most in", value: miss => miss.files[0].file,
     cell: miss => miss.files.slice(0, 3).map(f => `${f.file} (${f.sites})`).join(", ") +
                   (miss.files.length > 3 ? `, ${miss.files.length - 3} more` : "")},
  ], totals.missed, "Nothing is missing.", 0, true);
}

//--- Profile ----------------------------------------------------------------------------------------

const timeText = s => s >= 1 ? `${s.toFixed(2)} s` : s >= 1e-3 ? `${(s * 1e3).toFixed(2)} ms` : `${(s * 1e6).toFixed(1)} \u00b5s`;
function bytesText(bytes) {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let unit = 0;
  for (; bytes >= 1024 && unit + 1 < units.length; ++unit) bytes /= 1024;
  return `${unit ? bytes.toFixed(1) : bytes} ${units[unit]}`;
}

/// Paths in a profile are absolute. Paths in a report are relative to its base.
const isFile = (path, file) => path && (path === file.name || path === `${data.base}/${file.name}`);
const fileOf = spot => data.files.find(file => isFile(spot.file, file));
function spentAt(file, line) {
  const here = data.profile ? data.profile.sites.filter(spot => spot.line === line && isFile(spot.file, file)) : [];
  const sum = key => here.reduce((all, spot) => all + spot[key], 0);
  return {time: sum("seconds"), bytes: sum("bytes"), waiting: sum("waiting")};
}
const spentText = spent => `${timeText(spent.time)}, ${Math.round(100 * spent.waiting / spent.time)} % waiting, ` +
  bytesText(spent.bytes);
const sameSpot = (l, r) => l.function === r.function && l.place === r.place && l.within === r.within;

/// An element of SVG.
function drawn(tag, attributes, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}
/// A grid of rows and columns. A cell is {row, column, part, title}. A larger part makes it darker.
function grid(id, rows, columns, width, height, label, cells) {
  const picture = drawn("svg", {viewBox: `0 0 ${columns * width} ${rows * height}`, role: "img", "aria-label": label,
                                preserveAspectRatio: "none"});
  picture.append(drawn("rect", {class: "ground", width: columns * width, height: rows * height}));
  for (const cell of cells)
    picture.append(drawn("rect", {class: "cell", x: cell.column * width, y: cell.row * height, width, height,
                                  "fill-opacity": 0.08 + 0.92 * cell.part}, drawn("title", {}, cell.title)));
  at(id).append(picture);
}

/// The call paths, if the run kept any.
function paths(run) {
  if (!run.frames) return;
  at("paths").append(element("h3", {}, "Call paths"));
  const label = frame => frame.file ? `${frame.function} (${frame.file.split("/").pop()}:${frame.line})` :
    frame.function || `${frame.object.split("/").pop()}+0x${frame.offset.toString(16)}`;
  const from = path => path.frames.length ? path.frames.map(label).join(" < ") : "(other paths)";
  const link = frame => fileOf(frame) ? element("a", {href: "#" + anchor(fileOf(frame), frame.line)}, label(frame))
                                      : label(frame);
  show("paths", [
    {head: "path", value: from, cell: path => path.frames.length ? element("span", {}, ...path.frames.flatMap(
      (frame, n) => n ? [" < ", link(frame)] : [link(frame)])) : from(path)},
    {head: "call", value: path => path.name, cell: path => element("code", {}, path.name)},
    {head: "calls", value: path => path.calls},
    {head: "time", value: path => path.seconds, cell: path => timeText(path.seconds)},
    {head: "run %", value: path => Math.round(1000 * path.seconds / run.seconds) / 10},
    {head: "wait %", value: path => path.seconds ? Math.round(1000 * path.waiting / path.seconds) / 10 : 0},
    {head: "bytes", value: path => path.bytes, cell: path => bytesText(path.bytes)},
  ], run.paths.slice(), "No call was made.", 3, true);
}

/// The calls and bytes of each rank in collective operations, which the matrix of messages does not contain.
function collectives(run) {
  show("collectives", [
    {head: "rank", value: row => row.rank},
    {head: "calls", value: row => row.collective_calls},
    {head: "bytes", value: row => row.collective_bytes, cell: row => bytesText(row.collective_bytes)},
  ], run.ranks.map((rank, n) => ({...rank, rank: n})).filter(row => row.collective_calls),
    "No collective operation.");
}

function matrix(run) {
  const cells = run.matrix.filter(([, , messages]) => messages);
  if (!cells.length) return at("matrix").append(element("p", {class: "dim"}, "No message between ranks."));
  const most = Math.max(1, ...cells.map(cell => cell[3]));
  grid("matrix", run.ranks.length, run.ranks.length, 10, 10, "bytes from rank to rank", cells.map(
    ([from, to, messages, bytes]) => ({row: from, column: to, part: bytes / most,
      title: `from ${from} to ${to}: ${bytesText(bytes)} in ${counted(messages, "message")}`})));
  at("matrix").append(element("p", {class: "dim"}, "Rows send, columns receive; rank 0 is on top and on the left."));
}

function timeline(run) {
  const {bin, ranks} = run.timeline;
  const most = Math.max(1, ...ranks.map(bins => bins.length));
  grid("timeline", ranks.length, most, 4, 12, "share of time that ranks waited", ranks.flatMap((bins, rank) =>
    bins.map(([inside, waiting], n) => ({row: rank, column: n, part: Math.min(1, waiting / bin),
      title: `rank ${rank} at ${timeText(n * bin)}: in MPI ${Math.round(100 * inside / bin)} %, ` +
             `waiting ${Math.round(100 * waiting / bin)} %`}))));
  at("timeline").append(element("p", {class: "dim"}, `A row for each rank; ${timeText(most * bin)} from left to right.`));
}

function profile() {
  const run = data.profile;
  if (!run) return;
  at("profile").hidden = at("to-profile").hidden = false;
  const share = (part, whole) => whole ? Math.round(1000 * part / whole) / 10 : 0;
  const told = one => `${timeText(one.seconds / one.ranks.length)} a rank, in MPI ${share(one.in_mpi, one.seconds)} %, ` +
    `waiting ${share(one.waiting, one.seconds)} %`;
  const mean = key => timeText(run.ranks.reduce((all, rank) => all + rank[key], 0) / run.ranks.length);
  at("run").textContent = `${counted(run.ranks.length, "rank")}, ${told(run)}` +
    (data.before ? `; before: ${told(data.before)}` : "") +
    `; a rank's time in MPI_Init ${mean("init")}, in MPI_Finalize ${mean("finalize")}, ` +
    `to make and free communicators ${mean("communicators")}`;
  for (const text of run.complaints) at("advice").append(element("li", {class: "mark left"}, text));
  for (const advice of run.advice)
    at("advice").append(element("li", {}, element("b", {}, advice.place), `: ${advice.text} [${advice.id}]`,
      element("ul", {}, ...advice.proposals.map(proposal => element("li", {}, `try: ${proposal.text}`)))));
  const earlier = spot => data.before.sites.find(other => sameSpot(other, spot));
  const link = spot => fileOf(spot) ? element("a", {href: "#" + anchor(fileOf(spot), spot.line)}, spot.place)
                                    : spot.place;
  show("spent", [
    {head: "place", value: spot => spot.place, cell: link},
    {head: "call", value: spot => spot.name, cell: spot => element("code", {}, spot.name)},
    {head: "calls", value: spot => spot.calls},
    {head: "time", value: spot => spot.seconds, cell: spot => timeText(spot.seconds)},
    ...(data.before ? [{head: "before", value: spot => (earlier(spot) || {seconds: 0}).seconds,
      cell: spot => earlier(spot) ? timeText(earlier(spot).seconds) : "-"}] : []),
    {head: "run %", value: spot => share(spot.seconds, run.seconds)},
    {head: "wait %", value: spot => share(spot.waiting, spot.seconds)},
    {head: "computing before", value: spot => spot.computing, cell: spot => timeText(spot.computing)},
    {head: "bytes", value: spot => spot.bytes, cell: spot => bytesText(spot.bytes)},
    {head: "max/mean", value: spot => Math.round(100 * spot.imbalance) / 100},
    {head: "fast %", value: spot => share(spot.paths.fast || 0, spot.calls)},
  ], run.sites.slice(), "No call was made.", 3, true);
  paths(run);
  matrix(run);
  collectives(run);
  timeline(run);
}

//--- Calls ------------------------------------------------------------------------------------------

const place = site => `${site.file.name}:${site.line}:${site.column}`;
const anchor = (file, line) => `file-${data.files.indexOf(file)}-line-${line}`;
const why = site => [site.because, ...site.missed.map(miss => miss.text || data.sentences[miss.id])]
  .filter(Boolean).join("; ");

function calls() {
  const view = table([
    {head: "place", value: place, cell: site => element("a", {href: "#" + anchor(site.file, site.line)}, place(site))},
    {head: "call", value: site => site.callee, cell: site => element("code", {}, site.callee)},
    {head: "in function", value: site => site.function},
    {head: "form", value: site => site.form, cell: site => element("span", {class: "mark " + site.form}, site.form)},
    {head: "template", value: site => site.template},
    {head: "why not more", value: why},
  ], sites.slice());
  at("table").append(view.whole);
  const words = new Map(sites.map(site => [site, [place(site), site.callee, site.function, site.form, site.template,
    why(site), ...site.facts.flat(), ...site.missed.flatMap(miss => Object.values(miss))].join(" ").toLowerCase()]));
  function filter() {
    const wanted = at("search").value.toLowerCase().split(/\s+/).filter(Boolean);
    const chosen = new Set([...at("filter").querySelectorAll("input:checked")].map(box => box.value));
    let found = 0;
    for (const site of sites) {
      const fits = chosen.has(site.form) && wanted.every(word => words.get(site).includes(word));
      view.rowOf(site).hidden = !fits;
      found += fits;
    }
    at("found").textContent = `${found} of ${counted(sites.length, "call")}`;
  }
  at("filter").addEventListener("input", filter);
  at("filter").addEventListener("submit", event => event.preventDefault());
  filter();
}

//--- Sources ----------------------------------------------------------------------------------------

/// Columns count bytes of UTF-8, from 1; strings count UTF-16.
function indexOf(line, column) {
  const bytes = new TextEncoder().encode(line).slice(0, column - 1);
  return new TextDecoder().decode(bytes).length;
}

let pinned = null;
function detail(site, mark, pin) {
  if (pinned && !pin) return;
  pinned = pin ? mark : null;
  const close = element("button", {type: "button", class: "close", "aria-label": "close"}, "\u00d7");
  close.addEventListener("click", hide);
  const facts = site.facts.flatMap(([key, value, origin]) =>
    [element("dt", {}, key), element("dd", {}, element("code", {}, value), origin ? ` (${origin})` : "")]);
  const missed = site.missed.map(miss => element("li", {}, `${miss.text || data.sentences[miss.id]} [${miss.id}]`,
    miss.edit ? element("div", {}, element("b", {}, miss.edit)) : ""));
  const head = site.form + (site.template ? `, template ${site.template}` : "");
  at("detail").replaceChildren(...[
    pin ? close : "", element("h3", {}, element("code", {}, site.callee), " ",
                              element("span", {class: "mark " + site.form}, head)),
    element("div", {class: "dim"}, `${place(site)} in ${site.function}` +
      (site.units > 1 ? `, seen from ${site.units} units` : "")),
    site.because ? element("p", {}, site.because) : "",
    ...site.warnings.map(text => element("p", {class: "mark left"}, "warning: " + text)),
    facts.length ? element("dl", {}, ...facts) : element("p", {}, "Nothing is known of its arguments."),
    missed.length ? element("ul", {}, ...missed) : "",
  ].filter(part => part !== ""));
  at("detail").hidden = false;
}
function hide() {
  pinned = null;
  at("detail").hidden = true;
}

function markFor(site, text) {
  const mark = element("button", {type: "button", class: "mark " + site.form,
                                  title: `${site.callee}: ${site.form}`}, text);
  mark.addEventListener("mouseenter", () => detail(site, mark, false));
  mark.addEventListener("mouseleave", () => pinned || hide());
  mark.addEventListener("click", () => pinned === mark ? hide() : detail(site, mark, true));
  return mark;
}

/// One line of source with its calls marked. If a call's name is not at the call's place (in a macro, or
/// because the file was changed), the call is marked at the line's end.
function lineOf(file, text, number, here) {
  const line = element("div", {id: anchor(file, number), "data-line": number});
  let done = 0;
  const rest = [];
  for (const site of here) {
    const begin = indexOf(text, site.column);
    if (begin < done || !text.startsWith(site.callee, begin)) {
      rest.push(site);
      continue;
    }
    line.append(text.slice(done, begin), markFor(site, site.callee));
    done = begin + site.callee.length;
  }
  line.append(text.slice(done));
  const spent = spentAt(file, number);
  if (spent.time) line.append("  ", element("span", {class: "spent"}, spentText(spent)));
  for (const site of rest) line.append("  ", markFor(site, site.callee));
  return line;
}

function draw(file, into) {
  if (into.childElementCount) return;
  const byLine = new Map();
  for (const site of file.sites) byLine.set(site.line, [...byLine.get(site.line) || [], site]);
  for (const here of byLine.values()) here.sort((l, r) => l.column - r.column);
  if (file.text === null)
    into.append(element("p", {class: "dim"}, "This file could not be read where the report was made."));
  const lines = file.text === null ? [] : file.text.split("\n");
  const numbers = file.text === null ? [...byLine.keys()].sort((l, r) => l - r)
    : [...Array(Math.max(lines.length, ...byLine.keys())).keys()].map(n => n + 1);
  for (const number of numbers) into.append(lineOf(file, lines[number - 1] || "", number, byLine.get(number) || []));
}

const drawers = [];
function sources() {
  for (const file of data.files) {
    const code = element("div", {class: "code"});
    const numbers = forms.map(form => [form, file.sites.filter(site => site.form === form).length]).filter(([, n]) => n);
    const whole = element("details", {}, element("summary", {}, element("code", {}, file.name), " ",
      ...numbers.map(([form, n]) => element("span", {class: "mark " + form}, `${n} ${form}`))), code);
    whole.addEventListener("toggle", () => whole.open && draw(file, code));
    drawers.push(() => { draw(file, code); whole.open = true; });
    at("files").append(whole);
  }
  if (!data.files.length) at("files").append(element("p", {class: "dim"}, "No source has an MPI call."));
}

/// Opens the file, and shows the line, that the page's address names.
function follow() {
  const [, file, line] = location.hash.match(/^#file-(\d+)-line-(\d+)$/) || [];
  if (!drawers[file]) return;
  drawers[file]();
  const row = at(`file-${file}-line-${line}`);
  if (!row) return;
  document.querySelectorAll(".shown").forEach(shown => shown.classList.remove("shown"));
  row.classList.add("shown");
  row.scrollIntoView({block: "center"});
}

//--- The page ---------------------------------------------------------------------------------------

at("theme").addEventListener("click", () => {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark"
                                  : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
});
addEventListener("keydown", event => event.key === "Escape" && hide());
addEventListener("hashchange", follow);
addEventListener("beforeprint", () => drawers.forEach(open => open()));
if (totals.units) {
  overview();
  edits();
  calls();
} else {
  withoutRemarks();
}
profile();
sources();
follow();
