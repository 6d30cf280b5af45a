/** Names of servers → names of upstreams. */

const MAX_LENGTH = 32;

/** The name as the gateway can have it: lower-case letters, digits and hyphens, at most 32. */
export function upstreamName(name: string): string {
  const cut = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_LENGTH + 1);
  return cut.replace(/^-+/, '').slice(0, MAX_LENGTH).replace(/-+$/, '') || 'server';
}

/** The first of `name`, `name-2`, `name-3`, … that will do. */
export function firstName(name: string, willDo: (name: string) => boolean): string {
  if (willDo(name)) return name;
  for (let n = 2; ; n++) {
    const ending = `-${n}`;
    const tried = `${name.slice(0, MAX_LENGTH - ending.length)}${ending}`;
    if (willDo(tried)) return tried;
  }
}
