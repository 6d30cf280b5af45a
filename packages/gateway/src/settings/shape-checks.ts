/** What is said about tools, and cannot be meant as it is written. */
import { nearest } from '../nearest.ts';
import { canFitBelow } from '../patterns.ts';
import type { Path, Report } from './problems.ts';
import type { Settings, VirtualSettings } from './settings.ts';

/** Names that two would have, and tools of upstreams that are not there. */
export function checkShapes({ upstreams, virtual }: Settings, report: Report): void {
  for (const [name, { tools }] of upstreams) {
    const path = ['upstreams', name, 'tools'];
    checkRenames(tools.rename, [...path, 'rename'], report);
    if (tools.allow?.length === 0) report([...path, 'allow'], 'Expected at least one pattern');
    for (const setting of ['allow', 'deny'] as const)
      for (const [i, pattern] of (tools[setting] ?? []).entries())
        if (pattern === '') report([...path, setting, i], 'Expected a pattern; an empty one fits nothing');
  }
  const known = [...upstreams.keys()];
  for (const [name, made] of virtual) {
    const path = ['virtual', name];
    if (upstreams.has(name))
      report(path, 'An upstream has this name; each is served at an address of its own');
    if (made.tools?.length === 0) report([...path, 'tools'], 'Expected at least one pattern');
    checkRenames(made.rename, [...path, 'rename'], report);
    for (const setting of ['rename', 'descriptions'] as const)
      for (const tool of Object.keys(made[setting] ?? {}))
        checkOwner(tool, known, [...path, setting], report);
  }
}

/** Nobody could say which of two is called. */
function checkRenames(rename: VirtualSettings['rename'] | undefined, path: Path, report: Report): void {
  const owners = new Map<string, string>();
  for (const [own, shown] of Object.entries(rename ?? {})) {
    const other = owners.get(shown);
    if (other !== undefined) report([...path, own], `${other} has this name already; names tell tools apart`);
    owners.set(shown, own);
  }
}

function checkOwner(tool: string, known: readonly string[], path: Path, report: Report): void {
  const [head = '', ...rest] = tool.split('/');
  // That there are no upstreams has been told.
  if (rest.length > 0 && (known.length === 0 || known.includes(head))) return;
  const close = nearest(head, known);
  const hint =
    rest.length === 0
      ? 'tools are named upstream/name here'
      : close === undefined
        ? `there is no such upstream; known are ${known.join(', ')}`
        : `there is no such upstream; did you mean ${[close, ...rest].join('/')}?`;
  report([...path, tool], `Expected a tool; ${hint}`);
}

/** A pattern that fits nothing selects nothing, and nobody would notice. */
export function weighShapes({ upstreams, virtual }: Settings, warn: Report): void {
  const known = [...upstreams.keys()];
  for (const [name, made] of virtual) {
    for (const setting of ['tools', 'deny'] as const) {
      for (const [i, pattern] of made[setting].entries()) {
        if (known.some((upstream) => canFitBelow(pattern, `${upstream}/`))) continue;
        warn(['virtual', name, setting, i], `It fits nothing; ${hintFor(pattern, known)}`);
      }
    }
  }
}

/** What a pattern that fits no upstream may have been meant to be. */
export function hintFor(pattern: string, known: readonly string[]): string {
  const [head = '', ...rest] = pattern.split('/');
  if (rest.length === 0) return `patterns are of the form upstream/name, such as */${pattern}`;
  const close = nearest(head, known);
  return close === undefined
    ? `known upstreams are ${known.join(', ')}`
    : `did you mean ${[close, ...rest].join('/')}?`;
}
