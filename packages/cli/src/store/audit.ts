/** Whoever changes something says so in the audit log. */
import { userInfo } from 'node:os';
import type { AuditRow, Deed, Store } from '@mayday/store';

/** Adds a row in the name of whoever runs the command. */
export function audit({ audit: log }: Store, deed: Omit<Deed, 'actor'>): Promise<AuditRow> {
  return log.append({ ...deed, actor: actor() });
}

function actor(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`; // no name belongs to it
  }
}
