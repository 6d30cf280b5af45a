/** The doors of a gateway: one for everybody, or one for callers and one for operators. */
import { openAdmin } from '../admin/open-admin.ts';
import type { KnownCaller } from '../identity/keys.ts';
import type { Settings } from '../settings/settings.ts';
import type { State } from '../state/state.ts';
import { type GatewayStatus, statusOf } from '../status.ts';
import { createDoor, type Door, type DoorOptions } from './door.ts';

/** The doors, together. */
export interface Doors extends Pick<Door, 'staying' | 'turnOut' | 'close'> {
  readonly callers: Door;
  /** Where operators have a port of their own. */
  readonly operators: Door | undefined;
}

/** What stands behind them. */
interface DoorsOptions extends Omit<DoorOptions, 'health' | 'status' | 'admin' | 'isOperatorsOnly'> {
  readonly state: State;
  readonly startedAt: number;
}

/** Opens the doors that the settings ask for which the gateway was started with. */
export function openDoors(settings: Settings, options: DoorsOptions): Doors {
  const { state, startedAt, ...shared } = options;
  const { setup, journal, telemetry, isClosing, onBug } = shared;
  const status = async (): Promise<GatewayStatus> => {
    const { store } = await state.health();
    return { ...statusOf(setup(), journal, startedAt, store), ...telemetry?.status() };
  };
  const common: DoorOptions = { ...shared, health: state.health, status };
  const admin = openAdmin(settings, {
    store: state.store,
    language: setup().dialects.language,
    settings: () => setup().settings,
    status,
    isClosing,
    onBug,
  });
  const isApart = settings.admin !== false && settings.admin.listen.port !== undefined;
  const callers = createDoor({ ...common, admin: isApart ? undefined : admin });
  const operators = isApart ? createDoor({ ...common, admin, isOperatorsOnly: true }) : undefined;
  return {
    callers,
    operators,
    staying: (): readonly KnownCaller[] => [...callers.staying(), ...(operators?.staying() ?? [])],
    turnOut() {
      callers.turnOut();
      operators?.turnOut();
    },
    close: () => callers.close(),
  };
}
