/** The client of Closient's document: it reacts to the code and the problem, never to prose. */
import { type Fault, read } from '@mayday/core';
import { closientWait } from '@mayday/core/dialects/closient';
import { pause, payloadOf, type ToolCall, tooLong } from '@mayday/reference-shared/client';

/** Something that calls a tool: a client of either SDK. */
export interface Caller {
  callTool(call: {
    name: string;
    arguments: { [name: string]: unknown };
  }): Promise<{ [member: string]: unknown }>;
}

/** What came of a call. */
export type Outcome = { readonly payload: unknown } | { readonly tellTheUser: string; readonly fault: Fault };

/** Calls a tool; waits and tries again when the problem says so, tells the user otherwise. */
export async function callPatiently(
  client: Caller,
  name: string,
  args: { [name: string]: unknown },
  options: { readonly attempts?: number; readonly sleep?: (ms: number) => Promise<unknown> } = {},
): Promise<Outcome> {
  const { attempts = 3, sleep = pause } = options;
  for (let attempt = 1; ; attempt++) {
    const result = await client.callTool({ name, arguments: args });
    const reading = read({ result }, { from: 'closient' });
    if (!reading.failure) return { payload: payloadOf(result) };
    const { fault } = reading;
    const waitMs = closientWait(fault);
    const asked = tooLong(waitMs);
    if (waitMs === undefined || asked !== '' || attempt === attempts)
      return { tellTheUser: fault.message + asked, fault };
    await sleep(waitMs);
  }
}

/** What it calls retryable may have happened. */
export const dialect = 'closient';

/** The same from the command line: the payload, or what to tell the user. */
export async function callSample(call: ToolCall): Promise<unknown> {
  // What is refused before a tool is found has the same error, one level up.
  const callTool = async (): Promise<{ [member: string]: unknown }> => {
    const { result, error } = await call.send();
    return result ?? (error ? { error } : {});
  };
  const outcome = await callPatiently({ callTool }, call.name, {});
  if ('payload' in outcome) return outcome.payload;
  throw new Error(outcome.tellTheUser);
}
