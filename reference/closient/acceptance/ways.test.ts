import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SLOW } from '../../acceptance/program.ts';
import { referenceArguments } from '../../acceptance/reference.ts';
import { closeAll, connectEveryWay, WAYS, type Way } from '../../acceptance/six-ways.ts';
import { type Channel, callTool } from '../../acceptance/wire.ts';
import { type Desk, openDesk, UNKNOWN_GTIN } from './provoke.ts';

let desk: Desk;
let channels: Map<Way, Channel>;
beforeAll(async () => {
  desk = await openDesk();
  channels = await connectEveryWay(desk.server.mcp, referenceArguments('closient', ['--data', desk.folder]));
}, SLOW);
afterAll(async () => {
  await closeAll(channels);
  await desk.close();
});

const at = (way: Way): Channel => channels.get(way) as Channel;

describe.each(WAYS)('%s', (way) => {
  it('CL-3 CL-30 CL-33: a tool without a rule gives the error of the result', async () => {
    const { result } = await callTool(at(way), 'resolve_gtin', { gtin: UNKNOWN_GTIN });
    expect(result.error).toEqual({
      code: -32200,
      message: 'Not Found',
      data: {
        type: 'https://closient.com/docs/errors/not_found',
        title: 'Not Found',
        status: 404,
        detail: 'No product found for GTIN 00614141123452',
        error_code: 'not_found',
        retryable: false,
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/),
      },
    });
    expect(result.isError).toBe(true);
  });

  it('CL-3 CL-30: an invalid GTIN is -32101', async () => {
    const { result } = await callTool(at(way), 'resolve_gtin', { gtin: '123' });
    expect([result.error.code, result.error.data.error_code]).toEqual([-32101, 'validation_error']);
  });

  it('CL-3 CL-21: an argument that is missing is -32101 too', async () => {
    const { result } = await callTool(at(way), 'resolve_gtin', {});
    expect([result.error.code, result.error.data.error_code]).toEqual([-32101, 'validation_error']);
  });

  it('CL-17 CL-32: a call without a token is -32001', async () => {
    const { result } = await callTool(at(way), 'generate_qr_url', { gtin: UNKNOWN_GTIN });
    expect([result.error.code, result.error.data.retryable]).toEqual([-32001, false]);
  });

  it('CL-23: a tool that does not exist is -32200', async () => {
    const { result } = await callTool(at(way), 'no_such_tool', {});
    expect([result?.error?.code, result?.error?.data?.error_code]).toEqual([-32200, 'not_found']);
  });

  it('CL-15 CL-39: a success has its payload and no error', async () => {
    const { result } = await callTool(at(way), 'lookup_product', { gtin: UNKNOWN_GTIN });
    expect(result).not.toHaveProperty('error');
    expect(result.structuredContent).toEqual({ gtin: UNKNOWN_GTIN, found: false });
  });
});
