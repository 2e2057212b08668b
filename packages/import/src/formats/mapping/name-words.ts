// Words in the names of columns, in the languages of exports, each as one English word. Names are split into them.

/** The word of this table, and other words for it. */
const WORDS: Readonly<Record<string, string>> = {
  start:
    "begin began begun started starting starts initiated initiation origination commenced beginn debut inicio inizio aanvang poczatek начало baslangic",
  end: "ended ending finish finished stop stopped disconnect disconnected hangup hungup closed terminated released ende fin fim fine einde koniec конец окончание bitis",
  answer:
    "answered answering connect connected pickup established ans angenommen repondu respondida risposta odebrane ответ",
  time: "date datetime timestamp stamp dt ts at day datum uhrzeit zeit heure fecha hora ora tijd godzina czas дата время tarih saat",
  duration:
    "dur length len elapsed sec secs sek second seconds sekunden ms msec millis milliseconds min mins minutes minuten dauer duree duracion duracao durata duur trwania длительность продолжительность sure",
  id: "identifier uuid guid sid gid uid key kennung identifiant identificador идентификатор",
  number:
    "num no nr nbr numbers phone phones telephone tel msisdn digits nummer rufnummer telefonnummer numero номер телефон numer numara",
  from: "caller calling ani clid cli source src originator originating origin fromaddr anrufer anrufernummer appelant llamante origen origem chiamante beller dzwoniacy звонящий вызывающий arayan",
  to: "callee called dialed dialled dialing destination dest dst dnis ddi did recipient toaddr target gerufene angerufene appele destino destinatario ziel zielnummer chiamato gebelde odbiorca вызываемый aranan",
  agent:
    "agents operator rep representative advisor adviser employee csr associate mitarbeiter bearbeiter conseiller agente atendente operatore operador medewerker konsultant оператор сотрудник агент temsilci",
  user: "users username member",
  name: "nom nombre nome naam имя isim",
  talk: "incall talking conv conversation speaking spoken billable billed billing gesprach conversacion conversa conversazione rozmowy разговор разговора gorusme",
  ring: "ringing sonnerie",
  wait: "waiting attente espera attesa oczekiwania ожидание ожидания bekleme",
  hold: "holding held halten retencao удержание",
  handle: "handling handled",
  wrap: "wrapup acw nachbearbeitung",
  queue:
    "queues skill skills skillset huntgroup ringgroup workgroup warteschlange cola fila coda wachtrij kolejka очередь kuyruk",
  group: "groups gruppe groupe grupo gruppo группа",
  team: "teams department dept",
  campaign: "campaigns kampagne campagne campana campanha campagna кампания",
  disposition:
    "dispositions dispo outcome ergebnis resultat resultado risultato esito wynik результат sonuc",
  status: "statut estado stato статус durum",
  type: "typ tipo тип tur",
  direction: "way inout richtung sens sentido direcao direccion direzione kierunek направление yon",
  customer: "cust client consumer customers kunde cliente klant klient клиент musteri",
  first: "firstname fname forename given vorname prenom",
  last: "lastname lname surname family nachname apellido",
  email: "mail emailaddress",
  zip: "postcode postal zipcode plz",
  note: "notes comment comments remark remarks bemerkung notiz kommentar commentaire observaciones комментарий",
  recording:
    "recordings audio recordingfile aufnahme aufzeichnung enregistrement grabacion gravacao registrazione opname nagranie запись kayit",
  address: "addr",
  organization: "organisation",
  // They tell nothing.
  "": "anruf appel llamada chamada chiamata gesprek polaczenie polaczenia звонок звонка вызов вызова arama de der des da do del di van",
};

// Written without spaces: the longest that fits is taken.
const JOINED: Readonly<Record<string, string>> = {
  start: "開始 开始 開始 시작",
  end: "終了 结束 結束 종료",
  answer: "応答 接通 接聽 응답",
  time: "日時 時刻 日付 日期 日 时间 時間點 일시 시각 날짜",
  duration: "時間 时长 時長 시간 秒数 分数 秒 分 초 분",
  id: "識別子 编号 編號 工号 流水号",
  number: "番号 号码 號碼 번호 電話",
  from: "発信者 発信元 発信 主叫 发信 발신자 발신",
  to: "着信先 着信 相手先 被叫 수신자 수신",
  agent: "担当者 担当 オペレーター オペレータ エージェント 対応者 坐席 座席 客服 상담원 상담사",
  extension: "内線 分机 내선",
  name: "氏名 名前 姓名 名称 名 이름",
  queue: "キュー スキル 队列 技能组 技能組 대기열 큐 スキルグループ",
  team: "チーム 部署 部门",
  campaign: "キャンペーン 活动 캠페인",
  direction: "方向 種別 発着信 发起方向 呼叫方向 呼叫类型 방향 유형",
  disposition: "結果 结果 결과",
  status: "状態 ステータス 状态 상태",
  wait: "待ち 待機 等待 排队 대기",
  ring: "呼出 呼び出し 振铃 벨울림",
  hold: "保留 保持",
  wrap: "後処理 话后 話後 후처리",
  recording: "録音 录音 녹취 녹음",
  file: "ファイル 文件 파일",
  customer: "顧客 お客様 客户 고객",
  note: "備考 メモ 备注 비고",
  "talk duration": "通話時間 会話時間 通话时长 通話時長 통화시간",
  "": "通話 通话 呼叫 통화 コール",
};

const plain = (text: string) => text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();

const toPairs = (table: typeof WORDS) =>
  Object.entries(table).flatMap(([word, others]) =>
    others.split(" ").map((one): [string, string] => [plain(one), word]),
  );

const FOLDED = new Map([
  ...toPairs(WORDS),
  ...toPairs(JOINED),
  ["billsec", "talk duration"],
  ["ucid", "call id"],
  ["calledparty", "to"],
  ["gesprachsdauer", "talk duration"],
  ["answerby", "answer by"],
  ["wartezeit", "wait time"],
  ["wachttijd", "wait time"],
  ["rufdauer", "ring duration"],
  ["klingelzeit", "ring time"],
  ["bearbeitungszeit", "handle time"],
  ["nachbearbeitungszeit", "wrap time"],
]);
const SEGMENT = new RegExp(
  `(${toPairs(JOINED)
    .map(([text]) => text)
    .toSorted((one, other) => other.length - one.length)
    .join("|")})`,
  "u",
);

const GLUED =
  /^(call|contact|caller|callee|called|calling|agent|user|start|end|stop|answer|talk|ring|hold|wait|queue|skill|campaign|recording|unique|session|linked|parent|phone|first|last|middle|customer|source|destination|dest|file|duration|lead|team|ref)(id|date|time|number|num|no|name|type|stamp|file|url|secs?|seconds|duration|group|email|login|result|status|state|reason|party|direction|code|ms)$/;
/** The words of a name in lower case, each as the tables write it. */
export const foldWords = (name: string): readonly string[] =>
  name
    .normalize("NFD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/(\p{Ll})(\p{Lu})|(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1$3 $2$4")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .flatMap((word) => word.split(SEGMENT))
    .flatMap((word) => GLUED.exec(word)?.slice(1) ?? [word])
    .flatMap((word) => (FOLDED.get(word) ?? word).split(" "))
    .filter((word) => word !== "");
