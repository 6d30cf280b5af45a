/** What becomes of a request to an API, whoever finds it out. */
import type { FaultInit, JsonObject } from '@mayday/core';

/** How a request ends: with a result, as an object or as JSON, or without one. */
export interface Ends {
  /** `tools`: of a list, what it says about them. */
  readonly answered: (result: JsonObject | Buffer, tools?: readonly JsonObject[]) => void;
  /** The API said no. */
  readonly refused: (fault: FaultInit, original?: Buffer) => void;
  readonly lost: (fault: FaultInit) => void;
}
