/** The same families in other languages that software speaks. */

/** Phrases of languages that put spaces between words; the same form as `PHRASES`. */
export const FOREIGN: string = `
not_found/tool 94: ferramenta|herramienta|tool desconhecida|desconocida|desconhecido|desconocido|inexistente; ferramenta|herramienta .. não|no encontrada|existe; outil inconnu|introuvable; unbekanntes tool|werkzeug; tool|werkzeug .. nicht gefunden; неизвестный инструмент; инструмент .. не найден
not_found 86: no encontrado|encontrada|encontrados|existe|encontró|encuentra; não encontrado|encontrada|existe|encontrados; introuvable; non trouvé|trouvée; pas trouvé; existe pas; nexiste pas|plus; inexistant; non esiste|esistono|trovato|trovata|trovati; niet gevonden; bestaat niet; nicht gefunden|vorhanden; existiert nicht; не найден|найдена|найдено|найдены|существует
forbidden 86: acceso denegado|prohibido; permiso denegado; permisos insuficientes; sin permiso|permisos; acesso negado; permissão negada; permissões insuficientes; accès refusé|interdit; permission refusée; zugriff verweigert; keine berechtigung; fehlende berechtigung; доступ запрещен|запрещён; отказано доступе; недостаточно прав
unauthenticated 86: no autorizado|autenticado; credenciales inválidas|incorrectas; não autorizado|autenticado; credenciais inválidas; token inválido|invalide|ungültig|недействителен; autenticación|autenticação fallida|requerida|falhou; authentification échouée|requise; non autorisé; identifiants invalides; nicht autorisiert|authentifiziert|angemeldet; anmeldung fehlgeschlagen; authentifizierung fehlgeschlagen; ungültige anmeldedaten; не авторизован; ошибка авторизации|аутентификации; неверный токен|пароль
invalid_arguments 84: parámetro|argumento|parâmetro inválido|requerido|obrigatório|ausente|faltante; falta parámetro|argumento|campo; parámetros|argumentos|parâmetros inválidos; campo obligatorio|obrigatório|requerido; solicitud|requisição|entrada|valor inválida|incorrecta|inválido; obligatorio|obrigatório|obligatoire|erforderlich|обязателен|обязательный|обязательно; paramètre|argument invalide|manquant|requis; pas valide|valable; no es válido|válida; não é válido|válida; non è valido|valida; nicht gültig; niet geldig; ongeldige|ongeldig; requête invalide; ungültige|ungültiger|ungültiges|ungültig; fehlender parameter; неверный|недопустимый|некорректный параметр|аргумент|формат|запрос|значение
timeout 88: tiempo espera agotado|excedido; tempo limite|esgotado|limite excedido; délai dépassé|attente; délai .. dépassé; zeitüberschreitung; zeitlimit; время ожидания; превышено время; тайм аут; таймаут
rate_limited 90: demasiadas solicitudes|peticiones; límite solicitudes|tasa|velocidad; muitas requisições|solicitações; limite requisições|taxa; trop requêtes|demandes; limite .. requêtes|débit; zu viele anfragen; ratenlimit; anfragelimit; слишком много запросов; превышен лимит; лимит запросов
conflict 86: ya|já existe; existe déjà; déjà existant; bereits vorhanden|existiert; existiert bereits; уже существует; conflicto|conflito|conflit|konflikt|конфликт
unavailable 88: servicio|serviço indisponível|disponible; no disponible; service indisponible; temporairement indisponible; nicht verfügbar|erreichbar; dienst nicht; сервис|сервер|служба недоступен|недоступна; conexión|conexão rechazada|recusada; connexion refusée; verbindung verweigert|abgelehnt; отказано соединении; error conexión; erro conexão; erreur connexion|réseau; verbindungsfehler; ошибка соединения|сети|подключения
upstream_failed 84: error interno .. servidor; error interno servidor; erro interno .. servidor; erro interno servidor; erreur interne .. serveur; erreur interne serveur; interner serverfehler; внутренняя ошибка сервера
unsupported 84: no soportado|admitido|compatible; não suportado; pas supporté|pris; nicht unterstützt; не поддерживается
quota_exhausted 90: cuota excedida|agotada; cota excedida; saldo insuficiente; недостаточно средств; квота исчерпана
misconfigured 84: no configurado|configurada; não configurado|configurada; pas configuré; nicht konfiguriert; не настроен|задан|установлен
cancelled 80: cancelado|cancelada|annulé|annulée|abgebrochen|отменено|отменён
`;

/** Phrases of languages without spaces, found as substrings: `kind weight: text|text|…`. */
export const UNSPACED: readonly string[] = [
  'not_found/tool 94: 未知工具|工具不存在|未找到工具|不明なツール|알 수 없는 도구',
  'rate_limited 92: 请求过于频繁|频率限制|请求频率|限流|请求过多|太频繁|リクエストが多すぎ|レート制限|요청이 너무 많|요청 한도',
  'quota_exhausted 93: 余额不足|配额|额度|欠费|超限|上限に達|残高不足|할당량|잔액',
  'unauthenticated 92: 未授权|未登录|请先登录|认证失败|鉴权失败|身份验证|令牌无效|无效的令牌|密钥无效|无效的密钥|密码错误|签名错误|認証に失敗|認証エラー|認証が必要|ログインが必要|인증 실패|인증에 실패|인증이 필요|로그인이 필요|유효하지 않은 토큰',
  'misconfigured 93: 未配置|未设置|未設定|请配置|请设置|环境变量|设置环境|設定されていません|設定してください|環境変数|설정되지|설정해|환경 변수',
  'forbidden 91: 权限不足|没有权限|无权限|无权|禁止访问|拒绝访问|访问被拒绝|アクセス権|権限がありません|アクセスが拒否|許可されていません|권한이 없|접근이 거부',
  'not_found 89: 不存在|未找到|找不到|没有找到|見つかりません|存在しません|見つからない|찾을 수 없|존재하지 않',
  'timeout 90: 超时|タイムアウト|시간 초과|시간이 초과',
  'conflict 90: 已存在|重复|冲突|衝突|すでに存在|既に存在|競合|이미 존재|충돌',
  'unavailable 91: 服务不可用|网络错误|连接失败|无法连接|连接被拒绝|服务繁忙|系统繁忙|利用できません|接続できません|接続に失敗|接続エラー|ネットワークエラー|연결할 수 없|연결에 실패|연결 실패|네트워크 오류|서비스를 사용할 수 없',
  'upstream_failed 84: 服务器内部错误|服务器错误|内部错误|系统错误|サーバーエラー|内部エラー|서버 오류|내부 오류',
  'unsupported 86: 不支持|サポートされていません|対応していません|지원되지 않|지원하지 않',
  'invalid_arguments 88: 参数错误|参数无效|无效的参数|无效参数|缺少参数|参数缺失|缺少必|必填|必须|不能为空|格式错误|格式不正确|无效的|输入无效|输入错误|输入不合法|引数|パラメータ|入力が不正|入力が無効|入力が正しく|値が不正|値が無効|値が正しく|形式が不正|形式が正しく|必須|無効な|不正な|잘못된|필수|유효하지 않은|매개변수|입력이 잘못|값이 잘못|형식이 잘못|입력이 올바르지|값이 올바르지|형식이 올바르지',
  'too_large 90: 过大|太大|超出大小|大きすぎ|너무 큽',
  'cancelled 80: 已取消|キャンセル|취소',
];
