/**
 * What the SDK itself refuses, before any handler of the author's runs, read into faults. Its sentences are
 * matched against the request that it refused: nothing a client wrote is taken for one of them.
 */
import { type Executed, FaultError, type FaultInit, fault, makeFault, read } from '@mayday/core';
import { undeclaredFor } from '@mayday/core/protocol';
import type { Settings } from '../options.ts';
import type { ErrorObject } from '../shapes.ts';
import { cut } from './cut.ts';
import { type Failure, failureFromThrown } from './failure.ts';
import { nearest } from './nearest.ts';
import { dialectFor } from './render.ts';
import { isEnvelopeProblem, wrongEnvelope } from './request-envelope.ts';
import type { RequestState } from './request-state.ts';
import { failureOfTask } from './task-failures.ts';
import { issuesFromDump } from './validation.ts';

/** Whose error it is. */
export interface Speaker {
  readonly settings: Settings;
  /** The tools that can be called now. */
  callable(): Iterable<string>;
  /** May it be the error of a handler that the guard has not seen? */
  mayHaveBegun(state: RequestState): boolean;
}

/** Codes that the specification, or an HTTP status, ties to the failure. */
const FIXED: ReadonlySet<number> = new Set([-32700, -32600, -32601, -32020, -32021, -32022]);

/** A JSON-RPC error that no handler threw before the guard's eyes: the SDK's, or that of a handler it cannot see. */
export function readSdkError(error: ErrorObject, speaker: Speaker, state: RequestState): Failure {
  const { code, message, data } = error;
  const began = speaker.mayHaveBegun(state);
  const refusal = { began, ours: true } as const;
  const ofTask = failureOfTask(error, state);
  if (ofTask !== undefined) return ofTask;
  // Where something answers the method, it is that which does not know what it was asked for.
  if (code === -32601 && began) return { ...refusal, thrown: spoken(error), code };
  const capability = code === -32601 ? undeclared(speaker.settings, state) : undefined;
  if (capability !== undefined) return { ...refusal, thrown: capability };
  if (code === -32601)
    return {
      ...refusal,
      thrown: fault.unsupported(`Unknown method: ${cut(state.method)}`, {
        subject: { type: 'method', id: cut(state.method) },
      }),
      code,
    };
  const issues = issuesFromDump(message);
  if (issues !== undefined && !/result: /.test(message.slice(0, 80)))
    return {
      ...refusal,
      ofRequest: true,
      thrown: fault.invalidArguments(`Invalid parameters for ${cut(state.method)}`, { issues }),
      code: -32602,
    };
  if (code === -32602) {
    const missing = unreachable(message, state, speaker.callable());
    if (missing !== undefined) return { ...refusal, thrown: missing };
  }
  const uri = badUri(message, state);
  if (uri !== undefined) return { ...refusal, ...uri, code: -32602 };
  if (/^(?:MCP error -?\d+: )*Invalid [\w/ -]{1,60} result: /.test(message))
    return { ...refusal, began: true, thrown: invalidOutput(state, message) };
  const envelope = wrongEnvelope(error, state);
  if (envelope !== undefined)
    return { ...refusal, began: false, ofRequest: true, thrown: envelope, code: -32602, data };
  if (FIXED.has(code) || isEnvelopeProblem(data))
    return { ...refusal, ofRequest: true, thrown: spoken(error), code, data };
  if (code === -32602 && SDK_SENTENCE.test(withoutPrefix(message)))
    // What is not there to be completed has no completer.
    return {
      ...refusal,
      began: began && state.method !== 'completion/complete',
      thrown: spoken(error),
      code,
      data,
    };
  // Whatever else comes without a handler of ours: a handler that was registered before the guard.
  return failureFromThrown(new Error(message.replace(/^(?:MCP error -?\d+: )+/, '')), {
    settings: speaker.settings,
    call: state,
    began: true,
  });
}

/** A method of the protocol whose capability nobody declared, where the document has a code of its own for it. */
function undeclared(settings: Settings, state: RequestState): FaultError | undefined {
  const id = undeclaredFor(state.method, state.revision);
  if (id === undefined || dialectFor(state, settings).keepsCapabilities !== true) return undefined;
  return fault.unsupported(`Capability not supported: ${id}`, { subject: { type: 'capability', id } });
}

/** Sentences of the SDK's that tell the client something it can use, and nothing else. */
const SDK_SENTENCE =
  /^(?:Invalid or expired requestState|Resource URI .* is invalid|Resource template .* not found|Invalid completion reference|Cannot request input|Missing required client|Prompt .* (?:not found|disabled)|Resource .* (?:not found|disabled))/;

/** An address that is none: v2 says so in a sentence of its own, v1 lets `new URL` say it. */
function badUri(message: string, { method, name = '' }: RequestState): Pick<Failure, 'thrown'> | undefined {
  if (method !== 'resources/read' || URL.canParse(name) || !BAD_URI.test(message)) return undefined;
  const uri = cut(name);
  const issues = [{ path: ['uri'], message: `Invalid URI: ${uri}`, code: 'invalid_format' }];
  const subject = { type: 'uri', id: uri };
  return { thrown: fault.invalidArguments(`Invalid parameters for ${method}`, { subject, issues }) };
}

const BAD_URI = /^(?:MCP error -?\d+: )*(?:Invalid URL$|Resource URI .* is invalid$)/s;

function spoken(error: ErrorObject): FaultError {
  const heard = read({ jsonrpc: '2.0', id: 0, error }, { from: 'mcp' });
  const base: FaultInit = heard.failure ? heard.fault : { kind: 'invalid_request' };
  return new FaultError(makeFault({ ...base, message: withoutPrefix(error.message), native: undefined }));
}

/** v1 writes the code into the message, once for each hop. */
function withoutPrefix(message: string): string {
  return message.replace(/^(?:MCP error -?\d+: )+/, '');
}

/** A tool, prompt or resource that is not there, or is switched off: the same to a caller. */
function unreachable(
  message: string,
  state: RequestState,
  toolNames: Iterable<string>,
): FaultError | undefined {
  const { name } = state;
  if (name === undefined || !/(?:not found|disabled)(?:$|: )/.test(message)) return undefined;
  switch (state.method) {
    case 'tools/call':
      return unknownTool(name, toolNames);
    case 'prompts/get':
      return fault.notFound(`Unknown prompt: ${cut(name)}`, { subject: { type: 'prompt', id: cut(name) } });
    case 'resources/read':
      return fault.notFound(`Unknown resource: ${cut(name)}`, {
        subject: { type: 'resource', id: cut(name) },
      });
    default:
      return undefined;
  }
}

/** A tool that cannot be called under this name, with the name that was probably meant. */
export function unknownTool(name: string, toolNames: Iterable<string>): FaultError {
  const meant = nearest(name, toolNames);
  const list = 'List the tools and call one of them.';
  return fault.notFound(`Unknown tool: ${cut(name)}`, {
    subject: { type: 'tool', id: cut(name) },
    advice: meant === undefined ? list : `Did you mean ${meant}? ${list}`,
  });
}

/** It ran, and its answer cannot be used: a fault of the server, never of the caller. */
export function invalidOutput(state: RequestState, why: string, executed: Executed = 'yes'): FaultError {
  return fault.invalidOutput('The answer did not have the form that was promised', {
    executed,
    subject: {
      type: subjectType(state.method),
      ...(state.name === undefined ? {} : { id: cut(state.name) }),
    },
    cause: new TypeError(why),
  });
}

/** What a method works on. */
export function subjectType(method: string): string {
  if (method === 'tools/call') return 'tool';
  if (method === 'prompts/get') return 'prompt';
  return method === 'resources/read' ? 'resource' : 'method';
}
