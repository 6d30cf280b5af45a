/** QR codes of GS1 Digital Links. */
import { crc32, deflateSync } from 'node:zlib';
import encodeQR from 'qr';
import type { Item } from './resolver.ts';

/** The link that a scanner opens: `https://id.closient.com/01/<gtin>/10/<batch>/21/<serial>` (GS1 Digital Link). */
export function digitalLink({ gtin, batch, serial }: Item): string {
  const parts = [
    ['01', gtin],
    ['10', batch],
    ['21', serial],
  ].flatMap(([identifier, value]) => (value === undefined ? [] : [identifier, encodeURIComponent(value)]));
  return `https://id.closient.com/${parts.join('/')}`;
}

const SCALE = 6;

/** The image of a link, as a PNG of one bit a pixel: a model has to read it too, so it is small. */
export function qrImage(link: string): Buffer {
  const modules = encodeQR(link, 'raw', { border: 4 });
  const rows = modules.flatMap((row) => Array<Buffer>(SCALE).fill(rowOf(row)));
  const side = uint32(modules.length * SCALE);
  const header = Buffer.concat([side, side, Buffer.from([1, 0, 0, 0, 0])]); // one bit, grey
  const magic = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const parts = [chunk('IHDR', header), chunk('IDAT', deflateSync(Buffer.concat(rows))), chunk('IEND')];
  return Buffer.concat([magic, ...parts]);
}

/** A row without a filter, white as 1. */
function rowOf(modules: readonly boolean[]): Buffer {
  const bits = modules.map((dark) => (dark ? '0' : '1').repeat(SCALE)).join('');
  return Buffer.from([
    0,
    ...(bits.match(/.{1,8}/g) ?? []).map((byte) => Number.parseInt(byte.padEnd(8, '1'), 2)),
  ]);
}

function chunk(type: string, data: Buffer = Buffer.alloc(0)): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  return Buffer.concat([uint32(data.length), body, uint32(crc32(body))]);
}

function uint32(value: number): Buffer {
  return Buffer.from([value >>> 24, value >>> 16, value >>> 8, value]);
}
