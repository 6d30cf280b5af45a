/** Words that stand where a secret would, and are none. */
const PLAIN: ReadonlySet<string> = new Set(
  'n/a na nil null none undefined unset nan void empty blank true false yes no on off ok and or but if when then than the a an as at by to of in for from with without this that it its your you our is are was were be been use via through stdin has have had will would can cannot could should must may might not does do did too very only any all some each required optional missing invalid incorrect wrong expired revoked rejected denied refused failed failure error mismatch mismatched malformed unknown unauthorized unauthenticated forbidden unsupported unexpected provided supplied given used set reset changed updated created deleted removed valid verified validation verification authentication authorization auth access login string str number int integer boolean bool object array bytes char varchar text never type field value values name key keys token tokens password passwords secret secrets credential credentials user username users header headers parameter param params cookie cookies session signature request response please check ensure make contact see expected received got found minimum maximum min max length short long weak strong same different between already not_found notfound not_set bearer basic digest negotiate ntlm oauth oauth2 function await async instanceof typeof return const class import export extends api_key apikey jwt rs256 hs256 es256 hidden masked redacted filtered protected sensitive secure encrypted hashed omitted placeholder example sample test default changeme xxx expire expires expiry contain contains need needs exceeded limit quota count status pending active inactive disabled enabled id ids file path url uri env environment variable config configuration setting settings new old current first last invalid_token invalid_grant invalid_request invalid_client access_token refresh_token client_secret authorization_code client_credentials required_error too_small too_big include omit same-origin rotation policy manager management store provider service server client endpoint format scheme prefix schema at_least hs512 rs512 sha1 sha256 sha384 sha512 md5 utf8 utf-8 base64 hex plain s256 ist es est obligatorio requerido erforderlich requis obligatoire falsch ungültig incorrecta inválida неверный debe tener menos caracteres una con para contraseña clave doit être le la les des une au moins caractères passe mot trop pas muss müssen darf nicht mindestens zeichen haben sein das der die den ein eine mit oder und zu deve avere almeno caratteri essere troppo ter pelo menos senha moet zijn niet minimaal tekens bevatten het een должен быть пароль'.split(
    ' ',
  ),
);
const LONGEST_PLAIN = 24;

/** With which letters they start and end: a first look, as to lower the case of a word takes long. */
const ENDS = new Uint8Array(4096);
const endsOf = (first: number, last: number): number => ((first & 63) << 6) | (last & 63);
for (const word of PLAIN) {
  const [first = '', last = ''] = [word.charAt(0), word.slice(-1)];
  for (const one of [first, first.toUpperCase()]) {
    for (const other of [last, last.toUpperCase()]) {
      ENDS[endsOf(one.charCodeAt(0), other.charCodeAt(0))] = 1;
    }
  }
}

/** Whether a value is one of them. */
export function isPlainWord(value: string): boolean {
  const { length } = value;
  return (
    length <= LONGEST_PLAIN &&
    ENDS[endsOf(value.charCodeAt(0), value.charCodeAt(length - 1))] === 1 &&
    PLAIN.has(value.toLowerCase())
  );
}
