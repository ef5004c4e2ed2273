import type { Language } from './detect-language.ts'

interface Phrases {
  notFound: string
  /** Before the titles that come nearest. */
  nearest: string
  greeting: string
  thanks: string
  goodbye: string
}

/** What the built-in engine says in its own words, which is little. */
export const PHRASES: Record<Language, Phrases> = {
  en: {
    notFound: 'I did not find this in the sources.',
    nearest: 'The nearest are:',
    greeting: 'Hello! What would you like to know?',
    thanks: 'You are welcome!',
    goodbye: 'Goodbye!',
  },
  de: {
    notFound: 'Dazu habe ich in den Quellen nichts gefunden.',
    nearest: 'Am nächsten kommen:',
    greeting: 'Hallo! Was möchten Sie wissen?',
    thanks: 'Gern geschehen!',
    goodbye: 'Auf Wiedersehen!',
  },
  es: {
    notFound: 'No encontré esto en las fuentes.',
    nearest: 'Lo más cercano:',
    greeting: '¡Hola! ¿Qué le gustaría saber?',
    thanks: '¡De nada!',
    goodbye: '¡Adiós!',
  },
  fr: {
    notFound: 'Je n’ai pas trouvé cela dans les sources.',
    nearest: 'Le plus proche :',
    greeting: 'Bonjour ! Que souhaitez-vous savoir ?',
    thanks: 'Avec plaisir !',
    goodbye: 'Au revoir !',
  },
  it: {
    notFound: 'Non l’ho trovato nelle fonti.',
    nearest: 'I più vicini:',
    greeting: 'Salve! Che cosa vorrebbe sapere?',
    thanks: 'Prego!',
    goodbye: 'Arrivederci!',
  },
  pt: {
    notFound: 'Não encontrei isto nas fontes.',
    nearest: 'O mais próximo:',
    greeting: 'Olá! O que gostaria de saber?',
    thanks: 'De nada!',
    goodbye: 'Até logo!',
  },
  nl: {
    notFound: 'Dit heb ik niet in de bronnen gevonden.',
    nearest: 'Het dichtst in de buurt:',
    greeting: 'Hallo! Wat wilt u weten?',
    thanks: 'Graag gedaan!',
    goodbye: 'Tot ziens!',
  },
  ro: {
    notFound: 'Nu am găsit acest lucru în surse.',
    nearest: 'Cele mai apropiate:',
    greeting: 'Bună! Ce doriți să aflați?',
    thanks: 'Cu plăcere!',
    goodbye: 'La revedere!',
  },
  tr: {
    notFound: 'Bunu kaynaklarda bulamadım.',
    nearest: 'En yakın olanlar:',
    greeting: 'Merhaba! Ne öğrenmek istersiniz?',
    thanks: 'Rica ederim!',
    goodbye: 'Hoşça kalın!',
  },
  vi: {
    notFound: 'Tôi không tìm thấy điều này trong các nguồn.',
    nearest: 'Gần nhất là:',
    greeting: 'Xin chào! Bạn muốn biết điều gì?',
    thanks: 'Không có gì!',
    goodbye: 'Tạm biệt!',
  },
  pl: {
    notFound: 'Nie znalazłem tego w źródłach.',
    nearest: 'Najbliższe:',
    greeting: 'Dzień dobry! Co chcieliby Państwo wiedzieć?',
    thanks: 'Proszę bardzo!',
    goodbye: 'Do widzenia!',
  },
  ru: {
    notFound: 'Я не нашёл этого в источниках.',
    nearest: 'Ближе всего:',
    greeting: 'Здравствуйте! Что вы хотите узнать?',
    thanks: 'Пожалуйста!',
    goodbye: 'До свидания!',
  },
  el: {
    notFound: 'Δεν το βρήκα στις πηγές.',
    nearest: 'Τα πιο κοντινά:',
    greeting: 'Γεια σας! Τι θα θέλατε να μάθετε;',
    thanks: 'Παρακαλώ!',
    goodbye: 'Αντίο!',
  },
  ar: {
    notFound: 'لم أجد هذا في المصادر.',
    nearest: 'الأقرب هو:',
    greeting: 'مرحبًا! ماذا تود أن تعرف؟',
    thanks: 'على الرحب والسعة!',
    goodbye: 'إلى اللقاء!',
  },
  hi: {
    notFound: 'मुझे यह स्रोतों में नहीं मिला।',
    nearest: 'सबसे निकट:',
    greeting: 'नमस्ते! आप क्या जानना चाहेंगे?',
    thanks: 'आपका स्वागत है!',
    goodbye: 'अलविदा!',
  },
  th: {
    notFound: 'ไม่พบสิ่งนี้ในแหล่งข้อมูล',
    nearest: 'ที่ใกล้เคียงที่สุด:',
    greeting: 'สวัสดี! คุณอยากทราบอะไร',
    thanks: 'ด้วยความยินดี!',
    goodbye: 'ลาก่อน!',
  },
  zh: {
    notFound: '我在资料中没有找到这个内容。',
    nearest: '最接近的有：',
    greeting: '您好！您想了解什么？',
    thanks: '不客气！',
    goodbye: '再见！',
  },
  ja: {
    notFound: '資料の中には見つかりませんでした。',
    nearest: '最も近いもの：',
    greeting: 'こんにちは！何をお知りになりたいですか？',
    thanks: 'どういたしまして！',
    goodbye: 'さようなら！',
  },
  ko: {
    notFound: '자료에서 찾지 못했습니다.',
    nearest: '가장 가까운 것:',
    greeting: '안녕하세요! 무엇을 알고 싶으세요?',
    thanks: '천만에요!',
    goodbye: '안녕히 가세요!',
  },
}
