import { describe, expect, it } from 'vitest';
import { localClient, memberClient } from '../test/app.ts';
import { connect } from './connection.ts';

describe('a list that changed', () => {
  it.each([
    ['define_tool', { name: 'greet', description: 'Greets.', text: 'Hi' }, 'tools'],
    ['save_note', { name: 'a', text: 'x' }, 'resources'],
  ])('by %s is told to clients that are ready, and to no others', async (name, args, list) => {
    const { app, call, events } = await memberClient();
    const heard: object[] = [];
    const { receive } = connect(app, 'stranger', (value) => heard.push(value) > 0);
    const clientInfo = { name: 'x', version: '1' };
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
    await receive({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
    await call('tools/call', { name, arguments: args });
    const changed = { jsonrpc: '2.0', method: `notifications/${list}/list_changed`, params: {} };
    expect(events.filter(({ kind }) => kind === 'sent').map(({ value }) => value)).toEqual([changed]);
    expect(heard).toEqual([]);
  });

  it('once by a tool that is defined twice, and not by another under its name, which is refused', async () => {
    const { call, events } = await memberClient();
    const define = (text: string) =>
      call('tools/call', { name: 'define_tool', arguments: { name: 'greet', description: '', text } });
    expect([await define('Hi'), await define('Hi')]).toMatchObject([{ result: {} }, { result: {} }]);
    expect((await define('Bye')).error).toMatchObject({ code: -32034 });
    expect((await call('tools/call', { name: 'greet' })).result).toMatchObject({ content: [{ text: 'Hi' }] });
    expect(events.filter(({ kind }) => kind === 'sent')).toHaveLength(1);
  });

  it('again by delete_note, and not by a note that is only changed or a call that fails', async () => {
    const { call, events } = await localClient();
    const tool = (name: string, args: object) => call('tools/call', { name, arguments: args });
    await tool('save_note', { name: 'a', text: 'x' });
    await tool('save_note', { name: 'a', text: 'y' });
    await tool('delete_note', { name: 'a' });
    await tool('delete_note', { name: 'a' });
    expect(events.filter(({ kind }) => kind === 'sent')).toHaveLength(2);
  });
});
