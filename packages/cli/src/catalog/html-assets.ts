/** The look and the filter of the catalogue page. */

/** Light and dark, from the reader's own setting. */
export const STYLE = `
:root { color-scheme: light dark; --line: color-mix(in srgb, currentColor 15%, transparent); --quiet: color-mix(in srgb, currentColor 65%, transparent); }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 76rem; padding: 0 1.25rem 4rem; }
header { padding-top: 2rem; }
h1 { margin: 0; font-size: 1.9rem; }
h2 { margin: 2.5rem 0 .25rem; font-size: 1.2rem; }
header p, section > p, small { color: var(--quiet); }
input { font: inherit; width: 100%; box-sizing: border-box; padding: .6rem .8rem; border: 1px solid var(--line); border-radius: .5rem; position: sticky; top: .5rem; }
nav { margin-top: .75rem; }
nav a { margin-right: .75rem; font-size: .85rem; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
th { text-align: left; font-weight: 600; color: var(--quiet); }
th, td { padding: .4rem .75rem .4rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
tr:target { background: color-mix(in srgb, gold 25%, transparent); }
code { font: .9em ui-monospace, monospace; }
a { color: inherit; }
.reaction { padding: .1rem .45rem; border-radius: 1rem; font-size: .8rem; background: var(--line); }
.validation { background: color-mix(in srgb, dodgerblue 30%, transparent); }
.permission { background: color-mix(in srgb, mediumpurple 35%, transparent); }
.retryable { background: color-mix(in srgb, mediumseagreen 35%, transparent); }
.dependency { background: color-mix(in srgb, orange 35%, transparent); }
.terminal { background: color-mix(in srgb, crimson 30%, transparent); }
[hidden] { display: none; }
`;

/** Hides the rows, and the sections without rows, that do not hold what was typed. */
export const SCRIPT = `
const filter = document.getElementById('filter');
const rows = [...document.querySelectorAll('tbody tr')].map((row) => [row, row.textContent.toLowerCase()]);
filter.addEventListener('input', () => {
  const wanted = filter.value.trim().toLowerCase();
  for (const [row, text] of rows) row.hidden = !text.includes(wanted);
  for (const section of document.querySelectorAll('section'))
    section.hidden = section.querySelector('tbody tr:not([hidden])') === null;
});
`;
