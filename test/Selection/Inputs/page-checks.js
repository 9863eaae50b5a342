// What a person does with the page of `mpispec report --html`, and what must come of it: written at the end of
// the page as a list, of which the test reads each line.
const said = document.createElement("pre");
said.hidden = true;
document.body.append(said);
const tell = text => said.append(text + "\n");
const one = selector => document.querySelector(selector);
const all = selector => [...document.querySelectorAll(selector)];
const texts = selector => all(selector).map(cell => cell.textContent).join("|");
const waitFor = async what => {
  for (let tries = 0; tries < 200 && !what(); ++tries)
    await new Promise(resolve => setTimeout(resolve, 10));
};

addEventListener("error", event => tell("error: " + event.message));
(async () => {
  tell("tiles: " + texts("#tiles .tile"));
  tell("functions: " + texts("#functions tbody td:first-child"));
  one("#functions th:first-child button").click();
  tell("by name: " + texts("#functions tbody td:first-child"));
  one("#functions th:first-child button").click();
  tell("by name, down: " + texts("#functions tbody td:first-child") + " " +
       one("#functions th:first-child").getAttribute("aria-sort"));
  tell("edits: " + texts("#hints tbody td:nth-child(2)"));
  const shown = () => texts("#table tbody tr:not([hidden]) td:first-child") + " (" + one("#found").textContent + ")";
  tell("calls: " + shown());
  one("#search").value = "recv  main";
  one("#search").dispatchEvent(new Event("input", {bubbles: true}));
  tell("search: " + shown());
  one("#search").value = "";
  one("#filter input[value=inline]").click();
  tell("not inline: " + shown());
  one("#filter input[value=inline]").click();

  one("#table a").click(); // to the place in the source
  await waitFor(() => one(".shown"));
  tell("line: " + one(".shown").id + " " + one(".shown").textContent);
  tell("marks: " + all("#files .code .mark").map(mark => mark.className + " " + mark.textContent).join("|"));
  const mark = one("#files .code .mark");
  mark.dispatchEvent(new MouseEvent("mouseenter"));
  tell("pointed at: " + one("#detail h3").textContent + ", hidden: " + one("#detail").hidden);
  mark.dispatchEvent(new MouseEvent("mouseleave"));
  tell("left: hidden: " + one("#detail").hidden);
  mark.click();
  mark.dispatchEvent(new MouseEvent("mouseleave"));
  tell("tapped: " + texts("#detail dt") + ", hidden: " + one("#detail").hidden);
  dispatchEvent(new KeyboardEvent("keydown", {key: "Escape"}));
  tell("escape: hidden: " + one("#detail").hidden);

  tell("profile: hidden: " + one("#profile").hidden + " " + one("#run").textContent);
  tell("spent: " + texts("#spent th"));
  tell("pictures: " + all("#profile svg").length + ", cells: " + (all("#profile svg .cell").length > 1));

  const paper = () => getComputedStyle(document.body).backgroundColor;
  const before = paper();
  one("#theme").click();
  tell("theme changes: " + (paper() !== before));
  dispatchEvent(new Event("beforeprint"));
  tell("print opens: " + all("#files details").every(file => file.open));
  tell("at lines: " + [...new Set(all(".code .spent").map(spent => spent.parentElement.dataset.line))].join());
  tell("no markup from a source: " + all("#files img").length);
  tell("fits: " + (document.documentElement.scrollWidth <= innerWidth));
  tell("end of checks");
})();
