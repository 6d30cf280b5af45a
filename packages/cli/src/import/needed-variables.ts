/** Variables without which the gateway cannot use all that a file has. */
import { parseYaml } from '@mayday/gateway';
import { isObject } from './sections.ts';

/** Their names. What the settings of a process give to it is for the process to look up. */
export function variablesIn(yaml: string): readonly string[] {
  return [...new Set(namesIn(parseYaml(yaml).value, []))];
}

function namesIn(value: unknown, own: readonly string[], at?: string | number): readonly string[] {
  if (typeof value === 'string') {
    const names = [...value.matchAll(/\$\{([A-Za-z_]\w*)\}/g)].map(([, name]) => name as string);
    return names.filter((name) => !own.includes(name) || name === at);
  }
  if (Array.isArray(value)) return value.flatMap((item, i) => namesIn(item, own, i));
  if (!isObject(value)) return [];
  const { command, env } = value;
  const given = command !== undefined && isObject(env) ? Object.keys(env) : own;
  return Object.entries(value).flatMap(([name, item]) => namesIn(item, given, name));
}
