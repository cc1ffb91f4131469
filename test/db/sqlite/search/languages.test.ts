import { expect, test } from "bun:test";
import { finder } from "../../../support/db/search.ts";
import { accountFor, openForTest, pushTask } from "../../../support/db/store.ts";
import { NOON } from "../../../support/server.ts";

/** Whether a search for these words finds a task with this title. */
const finds = async (title: string, q: string): Promise<boolean> => {
  const store = await openForTest();
  const ann = await accountFor(store);
  await pushTask(store, ann, "t1", NOON, { title });
  return (await finder(store, ann)(q)).length === 1;
};

test.each([
  ["Chinese, a word of two characters", "我们在北京大学读书", "北京"],
  ["Chinese, one character", "我们在北京大学读书", "书"],
  ["Chinese, two words apart", "我们在北京大学读书", "读书 我们"],
  ["Chinese beyond the first plane", "𠮷野家へ行く", "𠮷野"],
  ["Chinese beside Latin letters", "学习Rust语言", "rust"],
  ["Chinese added by the next Unicode", "𱁬の字", "𱁬"],
  ["Japanese", "東京タワーの写真を整理する", "タワー"],
  ["Japanese, across two scripts", "東京タワーの写真を整理する", "写真を"],
  ["Japanese, a repeated mark", "人々の暮らし", "人々"],
  ["Japanese in half width", "データを保存", "ﾃﾞｰﾀ"],
  ["Thai", "ไปเที่ยวทะเลที่ภูเก็ต", "ทะเล"],
  ["Lao", "ຂ້ອຍຮັກເຈົ້າ", "ຮັກ"],
  ["Khmer", "ខ្ញុំស្រឡាញ់ភាសាខ្មែរ", "ភាសា"],
  ["Myanmar", "မြန်မာစာသင်တယ်", "စာသင်"],
  ["Tibetan, by its syllables", "བོད་སྐད་སློབ", "སྐད"],
  ["Korean, before a particle", "회의를 준비한다", "회의"],
  ["Korean, taken apart", "회의를 준비한다".normalize("NFD"), "회의"],
  ["Hindi", "किताब पढ़ना है", "किताब"],
  ["Arabic", "قراءة الكتاب غدا", "الكتاب"],
  ["Persian, with and without its joiner", "می‌خواهم بخوانم", "میخواهم"],
  ["Greek in capitals", "Ο ΔΡΌΜΟΣ", "δρόμος"],
  ["Greek without accents", "Ο δρόμος", "δρομος"],
  ["Russian", "Прочитать книгу", "КНИГ"],
  ["Turkish", "İstanbul gezisi", "istanbul"],
  ["German", "Straße kehren", "STRASSE"],
  ["Vietnamese", "Đọc sách ở Việt Nam", "viet"],
  ["French without its accents", "Aller au café", "cafe"],
  ["French with accents that were not written", "Aller au cafe", "café"],
  ["an accent as its own character", "Aller au cafe\u0301", "café"],
  ["a picture", "Launch 🚀 today", "🚀"],
  ["a picture beside a word", "🚀launch", "launch"],
  ["a picture of the newest set", "soon 🫨", "🫨"],
  ["a picture in another skin tone", "well done 👍🏽", "👍"],
  ["a picture combined from several", "at home 👨‍👩‍👧", "👩"],
  ["a heart, coloured or not", "I ❤ it", "❤️"],
  ["a flag", "trip to 🇯🇵", "🇯🇵"],
  ["a soft hyphen", "Donau\u00ADdampf\u00ADschiff", "donaudampfschiff"],
  ["full-width words", "ＤＯＣＫＥＴ", "docket"],
  ["invisible marks around a word", "\u2066rust\u2069\u202E", "rust"],
])("A search finds %s", async (_name, title, q) => {
  expect(await finds(title, q)).toBe(true);
});

test.each([
  ["characters that are not adjacent", "北方的京城", "北京"],
  ["characters in another order", "京北", "北京"],
  ["a vowel that another mark changes", "กี", "กา"],
  ["one syllable of a longer word", "회의", "회"],
  ["another flag", "trip to 🇯🇵", "🇵🇱"],
])("A search does not find %s", async (_name, title, q) => {
  expect(await finds(title, q)).toBe(false);
});
