import type { Entry, Node } from './nodes.ts';

const PATH_STEPS = 48;
const LONGEST_STEP = 80;

/** The JSON path of an entry. Very deep ones are cut in front, so that the path of each finding costs the same. */
export function pathOf(node: Node, entry: Entry): string {
  node.path ??= pathTo(node);
  return node.parent && node.parent.json !== node ? node.path + step(entry.name ?? entry.key) : node.path;
}

function pathTo(node: Node): string {
  const steps: string[] = [];
  let at = node;
  while (at.parent?.parent && steps.length < PATH_STEPS) {
    // What a container says of itself to JSON has its container's path.
    if (at.parent.json !== at) {
      steps.unshift(step(typeof at.key === 'number' ? at.key : (at.via?.name ?? at.key)));
    }
    at = at.parent;
  }
  return (at.parent?.parent ? '$…' : '$') + steps.join('');
}

function step(name: unknown): string {
  const text = typeof name === 'symbol' ? name.description : name;
  if (typeof text !== 'string') {
    return `[${typeof text === 'number' ? text : '?'}]`;
  }
  const short = text.length > LONGEST_STEP ? `${text.slice(0, LONGEST_STEP)}…` : text;
  return /^[A-Za-z_$][\w$]*$/.test(short) ? `.${short}` : `[${JSON.stringify(short)}]`;
}
