/** Values to JSON text, also where `JSON.stringify` gives up. */

/** JSON text of a value; nesting of any depth. Indented only where the engine can do it. A terminal obeys nothing in it. */
export function toJsonText(value: unknown, indent?: number): string {
  return textOf(value, indent).replace(OBEYED, escaped);
}

/** Controls, line ends and what turns lines around. JSON has them inside of texts alone, where a number means the same. */
const OBEYED = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

function escaped(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function textOf(value: unknown, indent: number | undefined): string {
  try {
    return JSON.stringify(value, null, indent) ?? 'null';
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return flatText(value); // too deep for the engine's recursion
  }
}

/** What is left to write: a value, or text that goes out as it is. */
type Step = { readonly value: unknown } | { readonly text: string };

function flatText(root: unknown): string {
  const parts: string[] = [];
  const steps: Step[] = [{ value: root }];
  for (let step = steps.pop(); step !== undefined; step = steps.pop()) {
    if ('text' in step) parts.push(step.text);
    else if (typeof step.value !== 'object' || step.value === null)
      parts.push(JSON.stringify(step.value) ?? 'null');
    else steps.push(...members(step.value).reverse());
  }
  return parts.join('');
}

function members(value: object): Step[] {
  const isArray = Array.isArray(value);
  const steps: Step[] = [{ text: isArray ? '[' : '{' }];
  for (const [key, member] of Object.entries(value)) {
    if (member === undefined && !isArray) continue;
    const comma = steps.length > 1 ? ',' : '';
    steps.push({ text: isArray ? comma : `${comma}${JSON.stringify(key)}:` }, { value: member });
  }
  steps.push({ text: isArray ? ']' : '}' });
  return steps;
}
