import type { Logger } from '@mayday/server';
import { afterFile } from '../../../test/after-file.ts';
import { httpHandler } from '../src/http-handler.ts';
import { listen, reporter, type Service } from '../src/index.ts';

/** Serves over HTTP in this process: the same wire, without the time that a process takes to start. */
export async function serveHere(service: Service): Promise<{ readonly url: string }> {
  const handler = httpHandler(service);
  const { url, close } = await listen(handler.fetch, 0, reporter(service.logger));
  afterFile(async () => {
    await close();
    await handler.close();
    await service.close();
  });
  return { url };
}

/** A logger that keeps everything. */
export function memoryLogger(): Required<Logger> & { readonly lines: { fields: object; message: string }[] } {
  const lines: { fields: object; message: string }[] = [];
  const add = (fields: object, message: string): void => void lines.push({ fields, message });
  return { lines, error: add, warn: add };
}
