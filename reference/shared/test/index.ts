/** Real processes and real clients, for the tests of the reference servers. */
export { type AnyClient, CLIENTS, type ClientName, connect } from './clients.ts';
export { memoryLogger, serveHere } from './here.ts';
export { killWhileWriting } from './killing.ts';
export { expectLawful, expectRecognised } from './laws.ts';
export { type Command, command, type Running, start, tempFolder } from './processes.ts';
export { callTool, jsonOf, post, type Rpc, rpcResponse } from './rpc.ts';
