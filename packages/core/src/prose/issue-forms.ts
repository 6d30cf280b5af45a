/** Complaints of validators, told from any other list with a path and a message: by the members and the codes that only theirs have. */
import { issuesFromList } from './issues.ts';

type Bag = { readonly [key: string]: unknown };

const ZOD = /^(?:invalid_\w{1,30}|too_(?:small|big)|not_(?:multiple_of|finite)|unrecognized_keys)$/;
const PYDANTIC =
  /^(?:missing|enum)$|_(?:type|parsing|forbidden|short|long|than|equal|mismatch|error|invalid)(?:\.|$)/;

function isOfValidator(item: unknown): boolean {
  const { code, path, loc, type, instancePath, schemaPath } = (item ?? {}) as Bag;
  if (Array.isArray(path)) return typeof code === 'string' && ZOD.test(code);
  if (Array.isArray(loc)) return typeof type === 'string' && PYDANTIC.test(type);
  return typeof instancePath === 'string' && typeof schemaPath === 'string';
}

/** Is a list nothing but what Zod, Pydantic or AJV found wrong with the input? */
export function isComplaints(items: readonly unknown[]): boolean {
  return issuesFromList(items).length > 0 && items.some(isOfValidator);
}
