import type { Logger } from '@mayday/server';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { completing } from '../src/completing.ts';
import { listen, type Service } from '../src/index.ts';
import { later } from './cleanup.ts';

/** Serves over HTTP in this process: the same wire, without the time that a process takes to start. */
export async function serveHere({
  createServer,
  http,
  logger,
  close,
}: Service): Promise<{ readonly url: string }> {
  const onerror = (err: Error): void => logger.warn({ err }, 'A request could not be served');
  const mcp = createMcpHandler(completing(createServer), { onerror });
  const { url, close: stop } = await listen((request) => (http ?? mcp.fetch)(request, mcp.fetch), 0, onerror);
  later(async () => {
    await stop();
    await close();
  });
  return { url };
}

/** A logger that keeps everything. */
export function memoryLogger(): Required<Logger> & { readonly lines: { fields: object; message: string }[] } {
  const lines: { fields: object; message: string }[] = [];
  const add = (fields: object, message: string): void => void lines.push({ fields, message });
  return { lines, error: add, warn: add };
}
