/** The words of `done.ts` in other languages: German, French, Spanish, Italian, Portuguese, Dutch, Chinese. */

const word = (words: string): RegExp => new RegExp(`(?<!\\p{L})(?:${words})(?!\\p{L})`, 'iu');

/** What work is called when it is over. */
export const DONE_ABROAD: RegExp = word(
  [
    'gebucht|bezahlt|abgebucht|belastet|erstattet|überwiesen|angelegt|erstellt|hinzugefügt|eingefügt|geändert|aktualisiert|gelöscht|entfernt|gespeichert|geschrieben|eingetragen|gesendet|verschickt|versandt|versendet|übermittelt|hochgeladen|verschoben|kopiert|registriert|reserviert|bestellt|bestätigt|ausgeführt|durchgeführt|abgeschlossen|verarbeitet|veröffentlicht|storniert|erfolgreich|erledigt',
    '(?:enregistr|cré|ajout|modifi|supprim|envoy|réserv|confirm|pay|débit|rembours|valid|command|effectu|exécut|publi|télécharg|déplac)ée?s?',
    '(?:registrad|cread|añadid|agregad|modificad|actualizad|eliminad|borrad|guardad|enviad|reservad|confirmad|pagad|cobrad|cargad|reembolsad|publicad|procesad|realizad|completad|ejecutad)[oa]s?',
    '(?:registrat|creat|aggiunt|modificat|aggiornat|eliminat|cancellat|salvat|inviat|prenotat|confermat|pagat|addebitat|rimborsat|pubblicat|eseguit|completat)[oai]',
    '(?:criad|adicionad|atualizad|excluíd|salv|gravad|cobrad|reembolsad|executad|concluíd|processad)[oa]s?',
    'geboekt|betaald|aangemaakt|toegevoegd|gewijzigd|verwijderd|opgeslagen|verzonden|verstuurd|gereserveerd|bevestigd|uitgevoerd|voltooid|overgemaakt',
  ].join('|'),
);

/** The same in Chinese, which has no spaces. What cannot be done any more (无法, 不能) is how a thing is. */
export const DONE_IN_CHINESE: RegExp =
  /已(?:经)?(?:付款|支付|扣款|转账|退款|预订|预定|下单|创建|新建|添加|保存|写入|发送|提交|更新|修改|删除|上传|完成|执行)(?!.*(?:无法|不能|不可以))/;

/** What failed after it, in Chinese. */
export const FAILED_IN_CHINESE: RegExp = /失败|不可用|出错|错误|超时|中断|拒绝/;

/** What makes it something that was not done. */
export const UNDONE_ABROAD: RegExp = word(
  'nicht|nichts|kein\\w*|nie|ohne|konnte\\w*|kann|können|muss|müssen|soll\\w*|wird|werden|bitte|bereits|schon|falls|wenn|pas|jamais|aucun\\w*|rien|sans|peut|doit|déjà|nunca|nada|ning\\w+|sin|puede|debe|ya|non|mai|nessun\\w*|niente|senza|può|deve|già|não|nem|nenhum\\w*|sem|pode|já|niet|geen|nooit|niets|zonder|kan|kon|moet|reeds|al',
);

/** What failed after it. */
export const FAILED_ABROAD: RegExp = word(
  'fehler\\w*|fehlgeschlagen|gescheitert|misslungen|schlug|abgebrochen|abgelehnt|verweigert|unerreichbar|nicht|keine? antwort|zeitüberschreitung|(?:a|ont) échou\\p{L}*|échec|échoué\\p{L}*|erreur\\w*|refus\\p{L}*|indisponible|injoignable|err[oe]\\w*|fall[óo]|fallid[oa]|fracas\\p{L}*|rechazad[oa]|no (?:se )?(?:pudo|puede|responde)|fallit[oa]|errore|rifiutat[oa]|non (?:risponde|raggiungibile)|falhou|falha|recusad[oa]|não (?:responde|foi)|mislukt|fout\\w*|geweigerd|onbereikbaar|niet',
);

/** Whoever took it back has done nothing. */
export const TAKEN_BACK_ABROAD: RegExp = word(
  'storniert|zurückgerollt|rückgängig|zurückgenommen|annul\\p{L}+|revertid[oa]s?|deshech[oa]s?|desfeit[oa]s?|teruggedraaid',
);

/** Where one part ends and another begins. */
export const BETWEEN_ABROAD: RegExp =
  /(?<!\p{L})(?:aber|jedoch|danach|dann|doch|mais|puis|cependant|pero|luego|ma|però|poi|mas|porém|depois|maar|daarna|echter)(?!\p{L})/iu;
