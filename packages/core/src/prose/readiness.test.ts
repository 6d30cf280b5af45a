import { describe, expect, it } from 'vitest';
import { read } from '../index.ts';
import { readProse } from './all-prose.ts';

/** What passes by itself. */
const TIME = [
  "{'error': 'Bridge not connected yet, retry in 2s'}",
  'Kernel has not been initialized yet, please wait 10 seconds',
  'Not connected to the broker yet: handshake in progress',
  'The emulator is not started yet. It is booting; give it a minute.',
  'Vector store not opened yet, loading embeddings',
  'Bridge not connected, reconnecting (attempt 2)',
  'No active connection: reconnecting in 4 s',
  'The current render has to finish first. Try again in 15 seconds.',
  'Please wait for the sync to end before calling search.',
  'Kernel is restarting. Try again in a moment.',
  'Plugin is connecting, please wait',
  'The tunnel is being established',
  'The worker is booting',
  'Waiting for the first heartbeat of the device. Retry shortly.',
  'Scheduler not running yet, starting up',
  'Build 41 queued; not started yet',
  'Retry once the snapshot has been loaded',
  'Client not ready: login in progress, retry in 3s',
  'Cache is warming; one moment please',
  'The extension host is reloading. Please wait a few seconds and try again.',
  'No session yet, one is being created; retry in 500 ms',
  'Language server not started yet, starting',
  'Gateway not connected: waiting for the device to wake up',
  'Not initialized yet. Check the status with get_status and retry in 10 seconds.',
  'Index not loaded; loading takes a minute, try again later',
  'Run 12 is queued; not started yet',
  'MCP bridge not connected. Reconnecting…',
  'Session not started yet - starting, please retry in 2 seconds',
  '{"error":"Database not connected yet, retry in 2s"}',
  'Error: Browser is launching, please wait',
  'Still connecting, please wait',
  'Not connected: the previous call must finish first',
];

/** What the caller has left out, whatever else it may have to wait for. */
const STEPS = [
  'Not initialized - run setup and retry later',
  'You must select a database first',
  'Kernel not started. Call start_kernel first.',
  'Not connected. Call connect_broker, wait 5 seconds, then try again.',
  'Terminal is not attached. Attach with attach_terminal first.',
  'Emulator is not booted. Boot it first with boot_emulator.',
  'Screenshot required: take a screenshot first',
  'No document is open. Please open one before calling this tool.',
  'You need to join a room before sending messages',
  'The recorder has not been started yet. Start it with start_recording.',
  'Client not initialized yet. Run init() and try again in a few seconds.',
  'Not connected to a cluster. Use select_context first, then retry in a moment.',
  'Session not started',
  'The profiler is not running. Launch it first using launch_profiler.',
  'No workspace selected yet. Select a workspace first.',
  'Must call login before using this tool',
  'Notebook not opened yet; open it before running cells',
  'The phone is not connected. Please pair it first.',
  'Outline required: request an outline first',
  'Device not mounted. Mount it first with mount_device.',
  'You have to load a model first; loading takes about 30 seconds',
  'Ghidra is not running. Start Ghidra and retry in a few seconds.',
  'Not connected. Waiting for the user to scan the QR code.',
  'Not connected. Open Figma; try again in 5 seconds',
  'Bot not connected. Check your token and retry later.',
  'Client not ready. Scan the QR code first, then wait a moment.',
  'No active project. Please wait for the user to open one.',
  'Not connected. Make sure the app is running and try again later.',
  'Server not initialized. Send initialize before calling tools.',
  'Browser not initialized. Call browser_open first.',
  'Attach with attach_debugger first',
];

const faultOf = (text: string) => {
  const reading = read({ result: { isError: true, content: [{ type: 'text', text }] } });
  return reading.failure ? reading.fault : undefined;
};

describe('what is not ready', () => {
  it.each(TIME)('takes only time: %s', (text) => {
    expect(faultOf(text)).toMatchObject({ kind: 'not_ready', reaction: 'retryable', retryable: true });
  });

  it.each(STEPS)('lacks a step: %s', (text) => {
    expect(faultOf(text)).toMatchObject({
      kind: 'not_ready',
      reaction: 'validation',
      retryable: false,
      retry: { when: 'after_change' },
    });
  });

  it.each([
    ['Kernel has not been initialized yet, please wait 10 seconds', 10_000],
    ['No active connection: reconnecting in 4 s', 4000],
    ['No session yet, one is being created; retry in 500 ms', 500],
  ])('waits as long as it is told: %s', (text, afterMs) => {
    expect(faultOf(text)?.retry).toMatchObject({ when: 'after_wait', afterMs });
  });

  it.each([
    'An error occurred. Please try again later.',
    'Error: connecting to host failed',
    'Something broke, try again in 5 seconds',
    'Loading of the plugin failed',
    'Error loading file',
    'Please wait',
  ])('is not told by a wait alone, nor by what failed: %s', (text) => {
    expect(readProse(text)?.kind).not.toBe('not_ready');
  });

  it('is who has to sign in, where that is the step', () => {
    expect(readProse('You have to log in first')?.kind).toBe('unauthenticated');
  });
});
