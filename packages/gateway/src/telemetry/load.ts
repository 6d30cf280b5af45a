/** Telemetry is loaded where it is on, and only there. */
import type { TurnedAwayVisit } from '../log-words.ts';
import type { Settings } from '../settings/settings.ts';
import type { Setup } from '../setup.ts';
import type { State } from '../state/state.ts';
import { upstreamsOf } from '../status.ts';
import type { Crew } from '../workers/crew.ts';
import { telemetryOf } from './config.ts';
import type { Env } from './environment.ts';
import type { Telemetry } from './hooks.ts';
import type { Observed } from './telemetry.ts';

const VERSION = '0.1.0';

/** Turns telemetry on, once there is something to observe. */
export type StartTelemetry = (observe: () => Promise<Observed>, transport: 'tcp' | 'pipe') => Telemetry;

/** What turns it on; `undefined` where nothing of it is configured. */
export async function telemetryFor(
  settings: Settings,
  env: Env,
  log: (line: string) => void,
  crew?: Crew,
): Promise<StartTelemetry | undefined> {
  const warnings = new Set<string>(); // what is said of all signals is said once
  const config = telemetryOf(settings, env, (message) => warnings.add(message));
  for (const warning of warnings) log(`warning: ${warning}`);
  if (config === undefined) return undefined;
  const { startTelemetry } = await import('./telemetry.ts');
  return (observe, transport) => startTelemetry(config, { observe, transport, log, version: VERSION, crew });
}

/** The gateway as its metrics tell of it. */
export async function observed(setup: Setup, { health }: State): Promise<Observed> {
  const { isReady } = await health();
  const upstreams = upstreamsOf(setup.upstreams, setup.settings);
  return {
    isReady,
    upstreams: upstreams.map(({ name, circuit, troubled, sessions, processes }) => ({
      name,
      circuit,
      troubled: troubled.length,
      sessions,
      processes,
    })),
  };
}

/** When all calls are answered: they are told of before the end, and then the store is closed. */
export async function endLast(telemetry: Telemetry | undefined, state: State): Promise<void> {
  await telemetry?.close().finally(state.close);
  if (telemetry === undefined) await state.close();
}

/** Whoever is not let in is counted, too. */
export function toldAlso(
  tell: (visit: TurnedAwayVisit) => void,
  telemetry: Telemetry | undefined,
): (visit: TurnedAwayVisit) => void {
  if (telemetry === undefined) return tell;
  return (visit) => {
    telemetry.turnedAway(visit.status);
    tell(visit);
  };
}
