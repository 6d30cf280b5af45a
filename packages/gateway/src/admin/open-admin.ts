/** The admin API of a gateway that runs. */
import type { Language } from '@mayday/core';
import type { Store } from '@mayday/store';
import type { Settings } from '../settings/settings.ts';
import type { GatewayStatus } from '../status.ts';
import { createAdmin } from './admin.ts';
import { type AdminDoor, createAdminDoor } from './over-http.ts';

/** What it stands on. */
interface AdminContext {
  readonly store: Store | undefined;
  readonly language: Language;
  readonly settings: () => Settings;
  readonly status: () => Promise<GatewayStatus>;
  readonly keysChanged: () => void;
  readonly isClosing: () => boolean;
  readonly onBug: (error: unknown) => void;
}

/** Opens it, as the settings say that the gateway was started with; absent where they turn it off. */
export function openAdmin({ admin, listen }: Settings, context: AdminContext): AdminDoor | undefined {
  if (admin === false) return undefined;
  const { isClosing, onBug, ...house } = context;
  return createAdminDoor({
    admin: createAdmin({ ...house, isByKey: true }),
    requestsPerMinute: admin.requestsPerMinute,
    // That any page may call tools does not say that any may do this.
    allowedOrigins: listen.allowedOrigins.filter((origin) => origin !== '*'),
    isClosing,
    onBug,
  });
}
