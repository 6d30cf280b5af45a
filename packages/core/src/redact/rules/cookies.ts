import { looksRandom } from '../looks.ts';
import type { Trigger } from '../scan.ts';
import { build, type Pattern, patternTriggers } from './patterns.ts';

/** Cookies by which well-known sites and frameworks know who is there, whose names say nothing of it. */
const NAMES =
  'li_at li_rm xs c_user datr sb ct0 sp_dc sp_key ssid hsid sid apisid sapisid __secure-1psid __secure-3psid __secure-1psidts __secure-3psidts __secure-1papisid __secure-3papisid _gh_sess __host-user_session_same_site user_session at-main sess-at-main x-main ubid-main fedauth rtfa estsauth estsauthpersistent estsauthlight mspauth wlssc rpsauth steamloginsecure cf_clearance __cf_bm koa.sid koa:sess express:sess express.sid .aspnetcore.cookies .aspnetcore.identity.application .aspxauth __utmzz dtcookie bigipserver awsalb awsalbcors awselb wordpress_logged_in wordpress_sec'.split(
    ' ',
  );
/** The name goes on in some: with a hash, with the name of a pool. */
const VALUE = '(?:_[\\w.~-]{1,64})?=["\']?([^\\s;,"\'&=]{10,4000}={0,2})';
const escaped = (name: string): string => name.replace(/[.:]/g, '\\$&');

const COOKIES = NAMES.map((name): Pattern => [name, build(`(?<![\\w-])${escaped(name)}${VALUE}`, 'iy')]);

const isRandom = (value: string): boolean =>
  looksRandom(value, 10) || (value.length >= 20 && /\d/.test(value) && /[A-Za-z]/.test(value));

/** Triggers for cookies outside of a header. */
export function cookieTriggers(): Trigger[] {
  return patternTriggers({ rule: 'cookie', class: 'cookie', accepts: isRandom }, COOKIES);
}
