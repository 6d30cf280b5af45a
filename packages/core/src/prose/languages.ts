/** The same families in other languages that software speaks. */

/** Phrases of languages that put spaces between words; the same form as `PHRASES`. */
export const FOREIGN: string = `
not_found/tool 94: ferramenta|herramienta|tool desconhecida|desconocida|desconhecido|desconocido|inexistente; ferramenta|herramienta .. não|no encontrada|existe; outil inconnu|introuvable; unbekanntes tool|werkzeug; tool|werkzeug .. nicht gefunden; неизвестный инструмент; инструмент .. не найден
not_found 86: no encontrado|encontrada|encontrados|existe|encontró|encuentra; não encontrado|encontrada|existe|encontrados; introuvable; existe pas; nexiste pas|plus; inexistant; non esiste|esistono|trovato|trovata|trovati; bestaat niet; nicht gefunden|vorhanden; existiert nicht; не найден|найдена|найдено|найдены|существует; kein|keine|keinen .. gefunden|vorhanden; kein|keine .. mit .. id|namen|nummer; aucun|aucune .. trouvé|trouvée|correspond|correspondant; ningún|ninguna .. encontrado|encontrada|coincide|corresponde; nenhum|nenhuma .. encontrado|encontrada|corresponde; nessun|nessuna .. trovato|trovata|corrisponde; no hay ningún|ninguna; nie znaleziono|istnieje; bulunamadı; mevcut değil
forbidden 86: acceso denegado|prohibido; permiso denegado; permisos insuficientes; acesso negado; permissão negada; permissões insuficientes; accès refusé|interdit; permission refusée; zugriff verweigert; доступ запрещен|запрещён; отказано доступе; pas lautorisation; pas autorisé|autorisée; navez|nas pas .. droits|droit|permission|autorisation|accès; droits insuffisants; no tiene|tienes .. permiso|permisos|autorización|acceso; não tem|possui .. permissão|permissões|autorização|acesso; non hai|ha .. permesso|permessi|autorizzazione; permesso negato; accesso negato; keine rechte|zugriffsrechte; nicht berechtigt; toegang geweigerd; доступ закрыт; odmowa dostępu; erişim reddedildi|engellendi
unauthenticated 86: no autorizado|autenticado; credenciales inválidas|incorrectas; não autorizado|autenticado; credenciais inválidas; token inválido|invalide|ungültig|недействителен; autenticación|autenticação fallida|requerida|falhou; authentification échouée|requise; non autorisé; identifiants invalides; nicht autorisiert|authentifiziert|angemeldet; anmeldung fehlgeschlagen; authentifizierung fehlgeschlagen; ungültige anmeldedaten; не авторизован; ошибка авторизации|аутентификации; неверный токен|пароль; jeton invalide|expiré; session expirée; mot passe incorrect|invalide|erroné; sesión caducada|expirada; inicie|inicia sesión; contraseña incorrecta|inválida; usuario .. contraseña incorrectos|incorrecta|inválidos; sessão expirada|expirou; faça login; senha incorreta|inválida; usuário .. senha incorretos|incorreta|inválidos; sitzung abgelaufen; passwort falsch|ungültig|inkorrekt; falsches passwort; ungültiger token|schlüssel; ungültiges token; sessione scaduta; password errata; неверный|неправильный логин|ключ|пароль; сессия истекла|завершена; сеанс истек|истёк; войдите снова|систему; необходимо войти|авторизоваться; требуется авторизация|вход; ongeldige inloggegevens|token|sleutel|gebruikersnaam|wachtwoord; nieprawidłowy|nieprawidłowe klucz|token|hasło|dane; geçersiz api|anahtar|token|şifre|parola; credenziali|chiave non valide|valida|valido
invalid_arguments 84: parámetro|argumento|parâmetro inválido|requerido|obrigatório|ausente|faltante; falta parámetro|argumento|campo; parámetros|argumentos|parâmetros inválidos; solicitud|requisição|entrada|valor inválida|incorrecta|inválido; obligatorio|obrigatório|obligatoire|erforderlich|обязателен|обязательный|обязательно; paramètre|argument invalide|manquant|requis; pas valide|valable; no es válido|válida; não é válido|válida; non è valido|valida; nicht gültig; niet geldig; ongeldige|ongeldig; requête invalide; ungültige|ungültiger|ungültiges|ungültig; fehlender parameter; неверный|недопустимый|некорректный параметр|аргумент|формат|запрос|значение; format .. invalide|incorrect; date invalide|incorrecte; valeur invalide|incorrecte; champ requis|manquant; fecha|formato|correo inválida|inválido|incorrecto; formato .. inválido|incorrecto; data|formato inválida|inválido|incorreto; formato .. inválido|incorreto; data|formato non valida|valido; falsches format; campo .. inválido|inválida|obligatorio|obrigatório|requerido; parametro|argomento|campo mancante|obbligatorio|richiesto; brak|nieprawidłowy parametr|parametru; geçersiz|eksik parametre|değer; неверная|некорректная|недопустимая дата; неверный|некорректный .. формат; неверное|некорректное|недопустимое значение
timeout 88: tiempo espera agotado|excedido; tempo limite|esgotado|limite excedido; délai dépassé|attente; zeitüberschreitung; zeitlimit; время ожидания; превышено время; тайм аут; таймаут; tempo scaduto; przekroczono limit czasu; zaman aşımı; zaman aşımına
rate_limited 90: límite solicitudes|tasa|velocidad; limite requisições|taxa; limite .. requêtes|débit; zu viele anfragen; ratenlimit; anfragelimit; слишком много запросов; превышен лимит; te veel verzoeken; zbyt wiele żądań; çok fazla istek
conflict 86: conflicto|conflito|conflit|konflikt|конфликт
unavailable 88: servicio|serviço indisponível|disponible; no disponible; temporairement indisponible; nicht verfügbar|erreichbar; dienst nicht; conexión|conexão rechazada|recusada; connexion refusée; verbindung verweigert|abgelehnt; отказано соединении; error conexión; erro conexão; erreur connexion|réseau; verbindungsfehler; ошибка соединения|сети|подключения; serviço|servidor .. indisponível; temporariamente indisponível; temporalmente|momentáneamente .. disponible; servicio|servidor .. disponible; indisponível momento; service|serveur .. indisponible; vorübergehend nicht; временно недоступен|недоступна|недоступно|недоступны; сервис|сервер|служба .. недоступен|недоступна; impossible .. connecter; impossible joindre|contacter; connexion .. impossible|échoué|échouée|perdue; no pudo|puede|podido|posible conectar|establecer; no se pudo|puede|ha conectar|establecer|podido; no pudo .. conectar|conexión; imposible conectar; não possível conectar|estabelecer; não .. possível conectar; não .. conectar; falha conexão; falha ao conectar; verbindung .. nicht hergestellt; keine verbindung; verbindung .. fehlgeschlagen|unterbrochen|verloren; impossibile connettersi|raggiungere; не удалось подключиться|соединиться|установить; нет подключения|соединения; невозможно подключиться; servizio .. disponibile; non disponibile; niet beschikbaar|bereikbaar; kan geen verbinding; nie można połączyć; usługa niedostępna; bağlanılamadı; bağlantı kurulamadı; kullanılamıyor
upstream_failed 84: error interno .. servidor; error interno servidor; erro interno .. servidor; erro interno servidor; erreur interne .. serveur; erreur interne serveur; interner serverfehler; внутренняя ошибка сервера
unsupported 84: não suportado; pas supporté|pris
too_large 86: zu groß|gross; trop grand|grande|volumineux|volumineuse|gros|lourd; demasiado grande; muito grande; troppo grande; te groot; слишком большой|большая|велик|велика
overloaded 86: serveur|service surchargé; servidor sobrecargado|saturado|ocupado; server überlastet|ausgelastet; сервер перегружен|занят
quota_exhausted 90: $means .. $spent; $spent .. $means; tegoed op
quota_exhausted 91: $period .. $cap .. $spent; $cap .. $period .. $spent; $cap .. $spent .. $period; $spent .. $cap .. $period; $spent .. $period .. $cap
conflict 88: $already .. $done|$used; $done|$used .. $already; $still .. $used; $used .. $still; $container .. $no .. $void; klasör boş değil; al gebruik|verzonden|geregistreerd|geannuleerd|betaald|bezet|geboekt|afgesloten|een; bestaat al; duplicad*; duplicat* registro|nome; doppelter|doppelte eintrag|einträge; doublon; дубликат; zduplikowany; yinelenen kayıt; $other .. $altered; $altered .. $other; inzwischen|zwischenzeitlich|ondertussen .. $altered; modifié entre
not_found 92: ya no existe|encuentra; já não existe; existe plus; nie istnieje już; уже|больше не существует|найден
invalid_arguments 90: darf|dürfen nicht leer; peut pas être vide; puede estar vací*; pode estar|ser vazi*; può essere vuot*; mag niet leeg; может быть пустым|пустой
conflict 62: bereits|schon|déjà|già|już|уже|zaten
unauthenticated 88: $key .. $false; $false .. $key; $key .. nicht|no|non|niet|nie|не|pas|não .. $true; $session .. $over; $must .. $enter; $enter .. $must; melden .. sich|dich; connectez vous; zaloguj; войдите; авторизуйтесь; giriş yapın|yapmalısınız|yapmanız; $no .. $entered; $identity .. $needed; $needed .. $identity; $identity .. $failed; kimlik doğrulama
not_found 87: $no|$cannot .. $found; $none .. nummer|número|numéro|numero|id|nom|nombre|nome|namen|naam|correo; $none resultado|résultat|risultato|resultaat|ergebnis; nie ma takiego|takiej|takiej; takiego|takiej nie; нет такого|такой; такого|такой .. нет; böyle .. yok
forbidden 90: $only .. $chiefs; accès|acceso|acesso|accesso|toegang $no autorisé|autorizado|autorizzato|toegestaan|consentito; $no .. $allowed .. à|para|zu|om|do
forbidden 85: $no .. $allowed
forbidden 87: $lack .. $rights; $rights .. yok|bulunmuyor|нет
unauthenticated 88: $no|$none .. $key .. $given; $key .. $no .. $given; $no .. $given .. $key
invalid_arguments 80: $no|$none|$oblige .. $given; se requiere|requieren|necesita|necesitan; belirtilmedi|belirtilmemiş|girilmedi; $mandatory; $oblige .. $be; olmalı|olmalıdır; $must .. $give; укажите|введите|podaj|ingrese|girin|giriniz|inserisci|fornisci|indica|specifica|digita|digite|proporciona|introduce|escribe|ingresa|proporcione|indique|especifique|introduzca|forneça|informe|insira|fornisca|inserisca|indichi|fournissez|indiquez|saisissez|précisez; nieprawidłowy|nieprawidłowa|nieprawidłowe|geçersiz|inválid*|invalide|неверный|некорректный; $no .. válid*|valid*; vergangenheit|verleden
rate_limited 92: viele|trop|demasiad*|muit*|troppe|troppi|veel|wiele|много|частые|часто|fazla .. $requests; $requests .. часто|häufig; $requests .. $minute; $cap .. $requests
unavailable 64: $again .. $late
timeout 88: $lapsed .. $wait; $wait .. $lapsed
unavailable 86: $no .. $answers; $answers $no; yanıt vermiyor; wartung|wartungsarbeiten|gewartet|mantenimiento|manutenção|manutenzione|onderhoud|konserwacja|bakım; maintenance réessayez; технические работы; niedostępny|niedostępna|niedostępne
overloaded 86: surchargé|sobrecargad*|sovraccaric*|overbelast|przeciążony|überlastet|перегружен
too_large 88: $exceeds .. $size; $size .. $exceeds; za duży|duża|duże; çok büyük
unsupported 85: $no .. $supported; pas prise|pris .. charge; desteklenmiyor
upstream_failed 84: errore interno .. server; interne serverfout; wewnętrzny błąd serwera; sunucu hatası; внутренняя ошибка
misconfigured 86: $no .. $configured; yapılandırılmamış|ayarlanmamış; $configured .. $no
approval_required 89: $requires .. $approval; $approval .. $needed
expired 84: $ticket .. $over; срок .. истёк|истек
disconnected 87: $connection .. $lost; $lost .. $connection
not_ready 86: $still .. $making; cours génération|traitement|chargement|préparation|création|indexation; $making .. $still
disconnected 86: verbindung .. getrennt|geschlossen
cancelled 80: cancelado|cancelada|annulé|annulée|abgebrochen|отменено|отменён
`;

/** Forms of languages without spaces: `kind weight: form|form|…`, each a part of an expression. */
export const UNSPACED: readonly string[] = [
  'not_found/tool 94: 未知工具|工具不存在|未找到工具|不明なツール|알 수 없는 도구',
  'rate_limited 92: 过于频繁|请求(?:次数)?过多|请求(?:次数)?超(?:过|出)|リクエスト(?:回数|数)|요청이 너무|요청 횟수|频率限制|请求频率|限流|请求过多|太频繁|操作频繁|リクエストが多すぎ|レート制限|요청이 너무 많|요청 한도',
  'quota_exhausted 93: 余额|配额|额度|欠费|超限|(?:次数|流量|积分|点数|名额|空间|套餐|试用)[^，。]{0,6}(?:不足|用完|用尽|耗尽|已满|到期|上限)|上限に達|残高不足|(?:クレジット|ポイント|残高|容量|利用枠)[^。、]{0,6}(?:不足|足りません|使い切|上限|超え)|使い切りました|할당량|잔액|(?:사용량|한도|크레딧|포인트|용량)[^.]{0,10}(?:소진|초과|부족|도달)',
  'unauthenticated 92: 未授权|未登录|尚未登录|请先?登录|登录(?:后|已过期|过期|失效|状态已)|认证失败|鉴权失败|身份验证|(?:令牌|密钥|密钥对|口令|凭证|凭据|(?:[Kk]ey|KEY|[Tt]oken|TOKEN) ?)[^，。]{0,4}(?:无效|不正确|错误|过期|失效)|无效的(?:令牌|密钥|凭证)|密码错误|密码不正确|签名错误|重新登录|会话已?过期|用户名或密码|账号或密码|認証に失敗|認証エラー|認証(?:が必要|されていません)|ログイン(?:が必要|してください|していません|し直)|再度?ログイン|(?:APIキー|キー|トークン|認証情報)[^。、]{0,4}(?:無効|不正|正しく|期限)|有効期限が切れ|パスワードが(?:違|正しく|間違)|인증 실패|인증에 실패|인증이 필요|인증되지|로그인(?:이 필요|해 ?주|하세요|하십시오|하지| 후)|(?:API )?(?:키|토큰)[가이는은]? ?(?:올바르지|유효하지|만료|잘못)|유효하지 않은 토큰|세션이 만료|다시 로그인|비밀번호가 (?:틀|올바르지|잘못)',
  'misconfigured 93: 未配置|未设置|未設定|请配置|请设置|环境变量|设置环境|設定されていません|設定してください|環境変数|설정되지|설정해|환경 변수',
  'forbidden 91: 权限不足|(?:只有|仅限?)[^，。]{0,8}(?:管理员|所有者|成员|会员)|管理者(?:のみ|だけ|以外)|(?:관리자|소유자|회원)만|没有权限|没有.{0,8}权限|无权限|无权|禁止访问|拒绝访问|访问被拒绝|アクセス権|権限がありません|権限が(?:不足|必要)|アクセスが拒否|許可されていません|권한이 (?:없|필요|부족)|접근이 거부|접근 권한',
  'not_found 89: 不存在|未找到|找不到|没有找到|查无|没有(?:此|该|这个)(?!权)|見つかりません|存在しません|見つからない|見つかりませ|찾을 수 없|존재하지 않',
  'timeout 90: 超时|(?:没有|未)(?:响应|回应)|応答(?:しません|がありません|していません)|응답하지 않|응답이 없|タイムアウト|시간 초과|시간이 초과',
  'conflict 90: 已(?:经)?存在|重复|冲突|衝突|已被(?:占用|使用|注册|预订|锁定|修改)|(?:订单|任务|请求|预约)已(?:经)?(?:发货|取消|完成|支付|关闭|结束)|(?:すでに|既に)[^。]{0,10}(?:存在|使用|登録|キャンセル|予約|処理|完了|発送|削除)|競合|重複|使用中のため|이미 (?:존재|사용|등록|취소|예약|처리|완료|결제)|충돌|중복',
  'unavailable 91: 服务不可用|(?:服务器?|系统)(?:正在)?(?:维护|繁忙|忙)|网络错误|连接失败|无法连接|连接被拒绝|服务繁忙|系统繁忙|利用できません|接続できません|接続に失敗|接続エラー|ネットワークエラー|연결할 수 없|연결에 실패|연결 실패|네트워크 오류|서비스를 사용할 수 없|服务暂时不可用|暂时不可用|暂时无法|暂不可用|服务不可达|网络异常|网络连接|连接超出|一時的に|サービスは停止|メンテナンス中|维护中|接続が切|일시적으로|점검 중',
  'upstream_failed 84: 服务器内部错误|服务器错误|内部错误|系统错误|サーバーエラー|内部エラー|서버 오류|내부 오류',
  'unsupported 86: 不支持|サポートされていません|対応していません|지원되지 않|지원하지 않',
  // What has to be given; a credential, a setting or somebody's consent is no argument.
  'invalid_arguments 87: (?:需要?|[请須须])(?:指定|提供|填写|传入|输入|给出|选择|上传)(?!.{0,12}(?:[Kk]ey|KEY|[Tt]oken|TOKEN|密|令牌|凭|权|登|环境变量|[审批员]))|(?:未|没有)(?:指定|提供|传入|填写|输入|选择)(?!.{0,12}(?:[Kk]ey|KEY|[Tt]oken|TOKEN|密|令牌|凭|权|登|环境变量))|(?<!(?:キー|トークン|パスワード|変数|権限|承認).{0,3})(?:の?(?:指定|入力|選択)(?:する必要|が必要|が?され|がありません)|(?:名前|名称|番号|日付|パス|ID|URL|クエリ|パラメータ)が必要)|(?<!(?:키|토큰|비밀번호|변수|권한).{0,3})(?:지정|제공|입력|전달)(?:되지|하지 않|해야|이 필요|할 필요)|(?:이름|번호|날짜|경로|ID|URL)(?:이|가) 필요',
  'invalid_arguments 88: 参数错误|格式(?:不对|有误)|请(?:输入|填写|提供|选择)|を(?:入力|指定|選択)して|でなければなり|(?:을|를) (?:입력|지정|선택)[해하]|이어야 합니다|여야 합니다|参数无效|无效的参数|无效参数|缺少参数|参数缺失|缺少必|必填|必须|不能为空|格式错误|格式不正确|无效的|输入无效|输入错误|输入不合法|引数|パラメータ|入力が不正|入力が無効|入力が正しく|値が不正|値が無効|値が正しく|形式が不正|形式が正しく|必須|無効な|不正な|잘못된|필수|유효하지 않은|매개변수|입력이 잘못|값이 잘못|형식이 잘못|입력이 올바르지|값이 올바르지|형식이 올바르지',
  'too_large 90: 大小超(?:过|出)|过大|太大|超出大小|大きすぎ|너무 큽|너무 커',
  'approval_required 90: 需要(?:审批|批准|审核|确认)|待审批|承認(?:が必要|待ち)|승인이 필요|승인 대기',
  'expired 90: (?:链接|邀请|验证码|二维码|优惠券)[^，。]{0,3}(?:过期|失效)|(?:リンク|招待|コード)の有効期限|(?:링크|초대|코드)[가이는] 만료',
  'disconnected 90: 连接(?:已|被)?(?:断开|中断|重置)|接続が(?:切|失われ)|연결이 (?:끊|종료)',
  'not_ready 88: (?:正在|尚在)(?:生成|处理|准备|加载|初始化|创建|启动)|(?:生成|处理|准备)中|(?:作成|処理|生成|準備|読み込み|起動)中|(?:생성|처리|준비|로딩) ?중',
  'cancelled 80: 已取消|キャンセル|취소',
];

/** Words of a class, as in `CLASSES`; a word with `*` stands for its Romance endings. */
export const FOREIGN_CLASSES: { readonly [name: string]: string } = {
  means:
    'kontingent kontingents freikontingent guthaben speicherplatz datenvolumen monatslimit tageslimit quota quotas cuota cuotas cota cotas crédit crédits créditos credito crediti saldo tegoed krediet środki środków kredyty kredytów квота квоты кредиты кредитов средства средств kota kotanız kotası kredi krediniz bakiye bakiyeniz',
  cap: 'limit límite limite limiti limiet limitu лимит limitiniz limitine limitini limiti',
  period:
    'monat monats monatliche monatliches monatlichen monatlicher tag tägliche tägliches tarif tarifs abo abonnement vertrag mensuel mensuelle mois forfait journalier journalière plan mensual mes diario plano mensal mês diári* piano mensile mese giornaliero maandelijks maandelijkse maand dagelijks pakket miesięczny miesięcznego miesiąc planu taryfy dzienny тарифа тариф месячный месяц дневной суточный aylık günlük paket paketiniz planınızın',
  spent:
    'aufgebraucht erschöpft ausgeschöpft überschritten verbraucht erreicht voll reicht épuisé épuisée épuisés épuisées dépassé dépassée dépassés atteint atteinte insuffisant insuffisante insuffisants agotad* excedid* superad* alcanzad* alcanzó insuficiente insuficientes esgotad* esgotou ultrapassad* atingid* atingiu esaurit* superat* raggiunt* insufficiente insufficienti bereikt overschreden opgebruikt verbruikt onvoldoende wyczerpany wyczerpana wyczerpane wyczerpano przekroczony przekroczona przekroczono osiągnięto osiągnięty niewystarczające niewystarczająca исчерпан исчерпана исчерпаны исчерпано закончился закончились закончилась превышен превышена недостаточно doldu aşıldı aştınız tükendi bitti yetersiz ulaştınız ulaşıldı',
  already: 'bereits schon déjà ya já già reeds już уже zaten',
  done: 'vergeben belegt besetzt registriert gebucht reserviert storniert versendet verschickt bezahlt abgeschlossen geschlossen existiert vorhanden pris prise existant existe existante enregistré enregistrée inscrit expédié expédiée annulé annulée payé payée clôturé réservé réservée attribué attribuée registrad* enviad* cancelad* pagad* cerrad* ocupad* reservad* tomad* existe cadastrad* fechad* agendad* esiste registrat* annullat* spedit* chius* prenotat* occupat* presente bestaat geregistreerd verzonden geannuleerd betaald bezet geboekt afgesloten istnieje zajęty zajęta zajęte zarejestrowany zarejestrowana anulowane wysłane opłacone занято занят занята зарегистрирован зарегистрирована отменён отменен отменена оплачен оплачено отправлен закрыт закрыта существует забронировано alınmış mevcut kayıtlı iptal gönderildi',
  used: 'verwendet benutzt genutzt gebrauch utilisé utilisée utilisés usage uso usad* utilizad* utilizzat* usat* gebruik gebruikt używany używana używane użyciu используется используются kullanılıyor kullanımda kullanılmakta',
  still: 'noch encore toujours todavía aún sigue ainda ancora nog nadal wciąż ещё еще hâlâ halen',
  other: 'anderen anderem autre otro otra outro outra altro altra andere innego другим другой başka',
  altered:
    'geändert bearbeitet verändert modifié modifiée modificad* editad* modificat* gewijzigd aangepast zmieniony zmieniona изменён изменен изменена değiştirildi değiştirilmiş',
  key: 'passwort kennwort zugangstoken token jeton schlüssel zugangsdaten anmeldedaten clé identifiants contraseña clave credenciales senha chave credenciais chiave credenziali password wachtwoord sleutel inloggegevens gebruikersnaam benutzername hasło klucz логин пароль токен токена ключ şifre şifresi parola anahtar anahtarı anahtarınız',
  false:
    'falsch falsches inkorrekt ungültig ungültige ungültiger ungültiges abgelaufen gesperrt invalide invalides incorrect incorrecte incorrects expiré erroné erronés inválid* caducad* expirad* vencid* incorrect* incorret* errat* scadut* ongeldig ongeldige onjuist onjuiste verlopen nieprawidłowy nieprawidłowe błędny błędne błędna wygasł неверный неверные неправильный недействителен недействительный истёк истек hatalı geçersiz yanlış',
  true: 'gültig richtig korrekt valide valides valable válid* valid* corret* geldig juist ważny prawidłowy действителен верен',
  session: 'sitzung session sesión sessão sessione sessie sesja сессия сеанс oturum oturumunuz oturumunuzun',
  over: 'abgelaufen beendet expiré expirée expirad* expirou caducad* scadut* verlopen wygasła истекла истёк истек doldu sona',
  must: 'faut necesario necessária bitte müssen musst muss zuerst veuillez devez doit merci debe debes necesita necesitas tiene favor precisa deve devi necessário necessario moet eerst gelieve musisz należy proszę необходимо нужно сначала требуется пожалуйста lütfen gerekir gerekiyor',
  enter:
    'anmelden einloggen connecter reconnecter connecté connectée identifier authentifier iniciar login logar autenticar autenticarse accesso laccesso accedere inloggen aanmelden zalogować войти авторизоваться giriş',
  no: 'nicht pas no não non niet nie не',
  entered:
    'angemeldet eingeloggt connecté connectée identifié autenticad* iniciado logado autenticat* ingelogd aangemeld zalogowany zalogowana вошли авторизован авторизованы',
  identity:
    'anmeldung authentifizierung authentification connexion autenticación autenticação autenticazione authenticatie uwierzytelnianie uwierzytelnienie logowanie аутентификация авторизация',
  needed:
    'erforderlich notwendig nötig requise nécessaire requerid* necesari* necessári* obrigatóri* richiest* necessari* vereist wymagane wymagana требуется необходима gerekli',
  failed:
    'fehlgeschlagen gescheitert échoué échouée fallid* falló falhou fallit* mislukt nieudane nieudana удалась başarısız',
  cannot: 'impossible impossibile imposible impossível',
  found:
    'gefunden trouvé trouvée trouvés trouver encontrad* encontrar encontrou encontró trovat* trovare gevonden znaleziono znalezione znaleziony znaleziona znaleźć найден найдена найдено найдены найти',
  none: 'kein keine keinen geen aucun aucune ningún ninguna nenhum nenhuma nessun nessuna',
  only: 'nur seul seuls seules solo sólo solamente somente apenas alleen tylko только yalnızca sadece',
  chiefs:
    'administratoren eigentümer mitglieder administrateurs propriétaires propriétaire membres administradores propietario miembros membros amministratori proprietario membri beheerders eigenaar leden administratorzy administrator właściciel администраторы администратор владелец yöneticiler',
  allowed:
    'autorisé autorisée autorizad* autorizzat* berechtigt befugt bevoegd gemachtigd upoważniony уполномочены yetkili',
  lack: 'kein keine keinen fehlen fehlt fehlende pas aucun aucune sin no não sem non senza geen nie brak нет недостаточно',
  rights:
    'zugriff zugang rechte berechtigung berechtigungen droits droit accès autorisation permiso permisos autorización acceso permissão permissões acesso autorização permesso permessi autorizzazione rechten toestemming toegang uprawnień uprawnienia dostępu прав доступа разрешения yetkiniz yetki izniniz izin',
  mandatory:
    'pflichtfeld pflichtangabe obligatoire obligatoires obligatori* obrigatóri* obbligatori* requis verplicht wymagane wymagany обязательно обязателен обязательное zorunlu zorunludur',
  oblige:
    'muss müssen soll doit doivent debe deben deve devem devono moet moeten musi muszą должен должна должно должны',
  be: 'sein liegen être ser estar essere zijn liggen być быть',
  given:
    'angegeben eingegeben mitgegeben especificad* especificó indicad* indicó proporcionad* proporcionó informad* fornecid* ingresad* introducid* spécifié spécifiée spécifiés spécifiées fourni fournie fournis fournies indiqué indiquée renseigné renseignée précisé précisée saisi saisie specificat* fornit* indicat* inserit* opgegeven ingevoerd meegegeven podano podana podany podane wskazano указан указана указано указаны передан передана передано заданы задан задана задано',
  give: 'geben angeben eingeben indiquer renseigner saisir fournir indicar ingresar introducir proporcionar informar inserir fornecer inserire specificare indicare préciser spécifier especificar opgeven invoeren podać указать ввести girin belirtin',
  requests:
    'anfragen aufrufe zugriffe requêtes demandes appels solicitudes peticiones llamadas intentos requisições solicitações chamadas tentativas richieste chiamate tentativi verzoeken aanvragen oproepen pogingen żądań zapytań prób запросов запросы попыток istek',
  minute:
    'sekunde minute stunde seconde heure segundo minuto hora secondo minuut uur sekundę minutę godzinę секунду минуту час saniyede dakikada dakika',
  again:
    'erneut nochmals nochmal réessayez réessayer inténtelo inténtalo intente intentar novamente tente riprova riprovare riprovi opnieuw ponownie spróbuj попробуйте повторите tekrar versuchen probeer',
  late: 'später wenigen minuten sekunden kürze tard instants minutes secondes tarde momentos unos minutos segundos tardi minuti secondi poco later minuut minuten później chwilę minut позже минут sonra',
  lapsed:
    'überschritten abgelaufen dépassé écoulé agotó agotad* excedid* superad* esgotad* esgotou superat* scadut* verstreken przekroczono upłynął истекло превышено doldu',
  wait: 'wartezeit délai attente espera attesa wachttijd oczekiwania ожидания',
  answers:
    'antwortet reagiert répond responde respondendo respondió risponde reageert antwoordt odpowiada отвечает',
  exceeds:
    'überschreitet übersteigt dépasse excède supera superan excede exceden sobrepasa ultrapassa overschrijdt przekracza превышает aşıyor',
  size: 'größe dateigröße maximalgröße taille tamaño tamanho dimensione dimensioni grootte rozmiar размер boyutu',
  supported:
    'unterstützt supporté supportée soportad* admitid* compatible suportad* supportat* ondersteund obsługiwany obsługiwana obsługiwane поддерживается',
  configured:
    'konfiguriert hinterlegt gesetzt configuré configurée définie défini configurad* definid* configurat* impostat* geconfigureerd ingesteld skonfigurowany skonfigurowana ustawiony настроен задан задана установлен установлена',
  requires:
    'muss müssen erfordert benötigt nécessite requiert doit requiere necesita debe requer precisa deve richiede vereist moet wymaga требует требуется gerektirir',
  approval:
    'genehmigt freigegeben genehmigung freigabe zustimmung approbation approuvé approuvée aprobación aprobad* aprovação aprovad* approvazione approvat* goedkeuring goedgekeurd zatwierdzenia akceptacji одобрения подтверждения onay',
  ticket:
    'link lien enlace einladung gutschein angebot code invitation invitación convite código codice invito offre oferta offerta uitnodiging aanbieding zaproszenie ссылка ссылки приглашение bağlantı',
  connection: 'verbindung connexion conexión conexão connessione verbinding połączenie соединение',
  lost: 'unterbrochen getrennt verloren abgebrochen beendet interrompue perdue fermée coupée perdid* perdió cerrad* interrumpid* encerrad* interrompid* interrott* persa chius* verbroken przerwane utracone zerwane разорвано потеряно прервано закрыто',
  making:
    'erstellt generiert verarbeitet geladen vorbereitet berechnet généré générée traité préparé generando procesando cargando creando generad* gerad* processad* procesad* processando carregando elaborazione caricamento gegenereerd verwerkt aangemaakt generowany przetwarzany tworzony формируется обрабатывается загружается создаётся создается hazırlanıyor işleniyor yükleniyor',
  container:
    'ordner verzeichnis dossier répertoire carpeta directorio pasta diretório cartella map folder katalog папка каталог klasör',
  void: 'leer vide vací* vazi* vuot* leeg pusty pusta пуст пуста boş',
};
