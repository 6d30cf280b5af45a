/** A page that the user has to open (-32042): its address and its id are known by every letter, or nobody gets there. */
import { isMembers, type Members } from '@mayday/relay';
import type { Cleaner } from './redaction.ts';

/** The data of such an error without secrets: as it is cleaned, but with addresses that can be opened. */
export function withPages(clean: unknown, said: unknown, cleaner: Cleaner): unknown {
  const kept = pagesIn(clean);
  const given = pagesIn(said);
  if (!isMembers(clean) || kept === undefined || given === undefined) return clean;
  return { ...clean, elicitations: kept.map((page, at) => withAddress(page, given[at], cleaner)) };
}

function pagesIn(data: unknown): readonly unknown[] | undefined {
  const pages = isMembers(data) ? data['elicitations'] : undefined;
  return Array.isArray(pages) ? pages : undefined;
}

function withAddress(clean: unknown, said: unknown, cleaner: Cleaner): unknown {
  if (!isMembers(clean) || !isMembers(said)) return clean;
  const { url, elicitationId } = said;
  const exact: { [name: string]: string } = {};
  if (typeof url === 'string') exact['url'] = cleaner.cleanAddress(url);
  if (typeof elicitationId === 'string') exact['elicitationId'] = elicitationId;
  return { ...clean, ...exact } satisfies Members;
}
