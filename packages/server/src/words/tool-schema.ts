/** What a tool says that it takes, as far as it can tell whose a validator's complaint is. */
import { isRecord, look } from './look.ts';

/** A JSON Schema. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/** The names of all arguments; `undefined` where it does not say, or says that it takes others as well. */
export function namesIn(schema: JsonSchema | undefined): ReadonlySet<string> | undefined {
  const { properties, additionalProperties } = schema ?? {};
  if (!isRecord(properties) || (additionalProperties ?? false) !== false) return undefined;
  return new Set(Object.keys(properties));
}

/** The names of those that must be there. */
export function requiredIn(schema: JsonSchema | undefined): readonly string[] {
  const required = schema?.['required'];
  return Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
}

/** What it says of one argument. */
export function memberOf(schema: JsonSchema | undefined, name: string): JsonSchema | undefined {
  const member = look(schema?.['properties'], name);
  return isRecord(member) ? member : undefined;
}

/** The types that something at a path may have, by their names in JSON Schema; `undefined` where it does not say. */
export function typesAt(
  path: readonly (string | number)[],
  schema: JsonSchema | undefined,
): readonly unknown[] | undefined {
  let held = schema;
  for (const step of path) {
    const items = held?.['items'];
    held =
      typeof step === 'string' ? memberOf(held, step) : isRecord(items) ? (items as JsonSchema) : undefined;
  }
  const type = held?.['type'];
  return typeof type === 'string' ? [type] : Array.isArray(type) ? type : undefined;
}

/** That of a tool without arguments. */
export const NOTHING: JsonSchema = { properties: {} };
