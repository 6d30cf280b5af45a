/** Messages as JSON, made once: whoever has to know whether one can be said has made it already. */

const made = new WeakMap<object, string>();

/** Keeps what was made of a message. Whoever changes it then says something else than was kept: a copy is made anew. */
export function keepJson(message: object, json: string): void {
  made.set(message, json);
}

/** A message as JSON, or a list of them. */
export function jsonOf(message: object): string {
  if (!Array.isArray(message)) return made.get(message) ?? JSON.stringify(message);
  return `[${message.map(jsonOf).join(',')}]`;
}
