/** The day as a picture: how many reads succeed, and what the server has to bear. */
import { BROWNOUT, OUTAGE, PEAK, type Span } from './day.ts';
import type { Figures } from './measure.ts';

const WIDTH = 860;
const LEFT = 64;
const RIGHT = 160;
const PANEL = 170;
const TOP = 64;
const GAP = 70;
const HEIGHT = TOP + 2 * PANEL + GAP + 56;
const PLOT = WIDTH - LEFT - RIGHT;

/** Distinguishable for the colour-blind; ours is the strong one. */
const COLOURS = ['#999999', '#e69f00', '#d55e00', '#cc79a7', '#56b4e9', '#0a6b3d'];

const x = (hour: number): number => LEFT + (hour / 24) * PLOT;

function line(values: readonly number[], top: number, max: number): string {
  return values
    .map((value, at) => {
      const y = top + PANEL - (Math.min(value, max) / max) * PANEL;
      return `${x((at + 0.5) / 2).toFixed(1)},${y.toFixed(1)}`;
    })
    .join(' ');
}

function span(label: string, { from, to }: Span, fill: string): string {
  const width = (x(to) - x(from)).toFixed(1);
  const height = 2 * PANEL + GAP;
  return (
    `<rect x="${x(from).toFixed(1)}" y="${TOP}" width="${width}" height="${height}" fill="${fill}"/>` +
    `<text x="${((x(from) + x(to)) / 2).toFixed(1)}" y="${TOP - 8}" class="small" text-anchor="middle">${label}</text>`
  );
}

function panel(
  title: string,
  top: number,
  marks: readonly (readonly [value: number, label: string])[],
  max: number,
): string {
  const rules = marks.map(([value, label]) => {
    const y = (top + PANEL - (value / max) * PANEL).toFixed(1);
    return (
      `<line x1="${LEFT}" x2="${LEFT + PLOT}" y1="${y}" y2="${y}" class="rule"/>` +
      `<text x="${LEFT - 8}" y="${Number(y) + 4}" class="small" text-anchor="end">${label}</text>`
    );
  });
  const hours = [0, 6, 12, 18, 24].map(
    (hour) =>
      `<text x="${x(hour).toFixed(1)}" y="${top + PANEL + 18}" class="small" text-anchor="middle">${hour}:00</text>`,
  );
  return `<text x="${LEFT}" y="${top - 24}" class="title">${title}</text>${rules.join('')}${hours.join('')}`;
}

/** The chart, as SVG. */
export function chart(all: readonly Figures[]): string {
  const loadTop = TOP + PANEL + GAP;
  const perSecond = all.map(({ load }) => load.map((requests) => requests * 2));
  const max = Math.max(400, Math.ceil(Math.max(...perSecond.flat()) / 200) * 200);
  const lines = (values: readonly (readonly number[])[], top: number, most: number): string =>
    values
      .map((list, at) => {
        const width = at === all.length - 1 ? 3 : 1.5;
        return `<polyline points="${line(list, top, most)}" fill="none" stroke="${COLOURS[at]}" stroke-width="${width}"/>`;
      })
      .join('');
  const legend = all
    .map(({ name }, at) => {
      const y = TOP + 14 + at * 22;
      const from = LEFT + PLOT + 14;
      return (
        `<line x1="${from}" x2="${from + 20}" y1="${y - 4}" y2="${y - 4}" stroke="${COLOURS[at]}" stroke-width="${at === all.length - 1 ? 3 : 1.5}"/>` +
        `<text x="${from + 26}" y="${y}" class="small">${name}</text>`
      );
    })
    .join('');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" role="img" aria-label="Reads that succeed and requests at the server over a simulated day, for each way to retry">
<style>text{font:13px system-ui,sans-serif;fill:#222}.small{font-size:12px;fill:#444}.title{font-weight:600}.rule{stroke:#ddd}</style>
<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>
${span('brownout', BROWNOUT, '#fdf3dc')}${span('peak', PEAK, '#eef3fb')}${span('outage', OUTAGE, '#fbe3e3')}
${panel(
  'Reads that succeed, by the time they were made',
  TOP,
  [
    [0, '0 %'],
    [0.5, '50 %'],
    [1, '100 %'],
  ],
  1,
).replace(`y="${TOP - 24}"`, `y="${TOP - 34}"`)}
${lines(
  all.map(({ success }) => success),
  TOP,
  1,
)}
${panel(
  'Requests a second at the server',
  loadTop,
  [
    [0, '0'],
    [max / 2, String(max / 2)],
    [max, String(max)],
  ],
  max,
)}
${lines(perSecond, loadTop, max)}
${legend}
<text x="${LEFT + PLOT / 2}" y="${HEIGHT - 10}" class="small" text-anchor="middle">hour of the simulated day (one hour lasts a second)</text>
</svg>
`;
}
