// The examples of D30, for the tests of every implementation.

export interface Sample {
  /** A text or a phone number of a call. */
  readonly text: string;
  readonly isNumber: boolean;
  /** The tokens of the text, joined by spaces. */
  readonly tokens: string;
  readonly query: string;
  readonly isFound: boolean;
}

type Row = readonly [text: string, tokens: string, query: string, isFound: boolean];

const TEXTS: readonly Row[] = [
  ["Leïla Benali", "leila benali", "leila benali", true],
  ["Leïla Benali", "leila benali", "BENALI leïla", true],
  ["Leïla Benali", "leila benali", "leilabenali", false],
  ["Straße", "strasse", "strasse", true],
  ["Straße", "strasse", "STRAẞE", true],
  ["İstanbul", "istanbul", "istanbul", true],
  ["ılık su", "ilik su", "ILIK", true],
  ["ﬁnance", "finance", "finance", true],
  ["Ｆｕｌｌ　ｗｉｄｔｈ", "full width", "full width", true],
  ["Benali's bill", "benali s bill", "benali", true],
  ["don't do it", "don t do it", "dont", false],
  ["don't do it", "don t do it", "don’t", true],
  ["l’addition", "l addition", "addition", true],
  ["call-back", "call back", '"call back"', true],
  ["call-back", "call back", "callback", false],
  ["co\u00adoperate", "cooperate", "cooperate", true],
  ["leila.benali@example.com", "leila benali example com", "leila.benali@example.com", true],
  ["leila.benali@example.com", "leila benali example com", "example", true],
  ["case FHR-000001 open", "case fhr 000001 open", "fhr-000001", true],
  ["case FHR-000001 open", "case fhr 000001 open", "000001", true],
  ["case FHR-000001 open", "case fhr 000001 open", "0001", false],
  ["INC0012345", "inc0012345", "inc001*", true],
  ["refunded twice", "refunded twice", "refund", false],
  ["refunded twice", "refunded twice", "refund*", true],
  ["early termination fee", "early termination fee", '"early termination"', true],
  ["termination, early", "termination early", '"early termination"', false],
  ["early termination", "early termination", '"early term*"', true],
  ["order 4471 paid", "order 4471 paid", "4471", true],
  ["返金してください", "返金 金し して てく くだ ださ さい い", "返金", true],
  ["返金してください", "返金 金し して てく くだ ださ さい い", "金", true],
  ["返金してください", "返金 金し して てく くだ ださ さい い", "金返", false],
  ["ｶﾞｿﾘﾝ代", "ガソ ソリ リン ン代 代", "ガソリン", true],
  ["が", "が", "か", false],
  ["ขอเงินคืน", "ขอ อเ เง งิ ิน นค คื ืน น", "เงิน", true],
  ["ID返金ABC", "id 返金 金 abc", "返金abc", true],
  ["أَحْمَد", "احمد", "احمد", true],
  ["שָׁלוֹם", "שלום", "שלום", true],
  ["رقم ١٢٣٤", "رقم 1234", "1234", true],
  ["ΟΔΟΣ οδός", "οδοσ οδοσ", '"οδος οδοσ"', true],
  ["हिन्दी", "हिन्दी", "हिन्दी", true],
  ["Ngô Thị Hương", "ngo thi huong", "huong", true],
  ["환불을 요청", "환불을 요청", "환불*", true],
  ["😀 ok", "ok", "😀 ok", true],
  ["C++ and AT&T", "c and at t", "at&t", true],
  ["1,234.50 EUR", "1 234 50 eur", "1234", false],
  ["a_b", "a b", '"a b"', true],
];

const NUMBERS: readonly (readonly [number: string, query: string, isFound: boolean])[] = [
  ["6145550121", "+1 614 555 0121", true],
  ["+16145550121", "0614 555 0121", true],
  ["(614) 555-0121", "6145550121", true],
  ["6145550121", "0121", true],
  ["6145550121", "121", false],
  ["6145550121", "614*", false],
  ["+44 (0)20 7946 0018", "020 7946 0018", true],
  ["030 901820", "+49 30 901820", true],
  ["sip:+16145550121@pbx:5060", "555-0121", true],
  ["614 555 0121 ext. 12", "5550121", true],
];

export const SAMPLES: readonly Sample[] = [
  ...TEXTS.map(([text, tokens, query, isFound]) => ({
    text,
    isNumber: false,
    tokens,
    query,
    isFound,
  })),
  ...NUMBERS.map(([text, query, isFound]) => ({
    text,
    isNumber: true,
    tokens: "",
    query,
    isFound,
  })),
];
