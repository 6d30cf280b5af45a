/** QR codes of GS1 Digital Links. */
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

/** The image of a link, as a GIF. */
export function qrImage(link: string): Buffer {
  return Buffer.from(encodeQR(link, 'gif', { scale: 6, border: 4 }));
}
