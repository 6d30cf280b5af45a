/** What an outgoing answer says: `undefined` when it is a success that can be sent as it is. */
import { type Fault, FaultError, language, makeFault, read } from '@mayday/core';
import type { Message } from '../shapes.ts';
import type { Boundary } from './boundary.ts';
import type { RequestState } from './request-state.ts';
import { invalidOutput, readSdkError, unknownTool } from './sdk-failures.ts';
import { type Failure, failureFromThrown, URL_ELICITATION } from './thrown.ts';
import { invalidArguments } from './validation.ts';

/** The failure in an answer, if it is one. A promise, where the schema has to be asked. */
export function outcome(
  boundary: Boundary,
  state: RequestState,
  message: Message,
): Failure | Promise<Failure> | undefined {
  const { result, error } = message;
  if (state.failure !== undefined) return state.failure;
  if (error !== undefined) {
    if (error.code === URL_ELICITATION) return { ...readSdkError(error, state, []), verbatim: message };
    if (state.entered && state.returned === 'success') return { thrown: invalidOutput(state, error.message) };
    return (
      promptArguments(boundary, state, error.message) ?? readSdkError(error, state, boundary.tools.keys())
    );
  }
  if (result?.['isError'] === true && state.method === 'tools/call')
    return toolError(boundary, state, message);
  return state.passage === undefined ? undefined : refusedResult(state, result);
}

/** What the guards have against a result. */
function refusedResult(state: RequestState, result: unknown): Failure | undefined {
  try {
    state.passage?.show(result);
    return undefined;
  } catch (reason) {
    return failureFromThrown(reason);
  }
}

function toolError(
  boundary: Boundary,
  state: RequestState,
  message: Message,
): Failure | Promise<Failure> | undefined {
  const text = textOf(message);
  if (state.entered && state.returned === 'error') return returned(message, text);
  if (state.entered) return { thrown: invalidOutput(state, text) };
  const said = text.replace(/^(?:MCP error -?\d+: )+/, '');
  const name = state.name ?? '';
  if (said === `Tool ${name} not found` || said === `Tool ${name} disabled`)
    return { thrown: unknownTool(name, boundary.tools.keys()) };
  if (said.startsWith(`Input validation error: Invalid arguments for tool ${name}`)) {
    return invalidArguments('tool', name, state.tool?.inputSchema, state.arguments, text).then((thrown) => ({
      thrown,
    }));
  }
  if (said.startsWith(`Invalid arguments for tool ${name}: arguments contain more than`)) {
    return { thrown: new FaultError(makeFault({ kind: 'too_large', message: said })) };
  }
  return returned(message, text);
}

/** v1 and v2 refuse a prompt's arguments as a protocol error with a flat sentence. */
function promptArguments(
  boundary: Boundary,
  state: RequestState,
  sentence: string,
): Promise<Failure> | undefined {
  if (state.method !== 'prompts/get' || state.entered || !/Invalid arguments for prompt/.test(sentence))
    return undefined;
  const name = state.name ?? '';
  const schema = boundary.prompts.get(name)?.argsSchema;
  return invalidArguments('prompt', name, schema, state.arguments, sentence).then((thrown) => ({
    thrown,
    code: -32602,
  }));
}

/**
 * An error result that the author wrote: its words stay, and what they say is read, so that the caller gets
 * the reaction with them. A result that already carries a fault is left alone.
 */
function returned(message: Message, text: string): Failure | undefined {
  const heard = read({ result: message.result });
  if (!heard.failure || (heard.dialect !== null && language.dialect(heard.dialect).classifies === true))
    return undefined;
  const fault: Fault = makeFault({ ...heard.fault, message: text || heard.fault.message, native: undefined });
  return { thrown: new FaultError(fault), authored: true };
}

function textOf(message: Message): string {
  const content = message.result?.['content'];
  const block: unknown = Array.isArray(content) ? content.find((item) => item?.type === 'text') : undefined;
  const text = (block as { text?: unknown } | undefined)?.text;
  return typeof text === 'string' ? text : '';
}
