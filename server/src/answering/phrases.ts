import type { Language } from './detect-language.ts'

interface Phrases {
  notFound: string
  /** Before the titles that come nearest. */
  nearest: string
  /** Before a sentence that has much of the question, but may not answer it. */
  unsure: string
  /** To who asks what this is. */
  about: string
  greeting: string
  thanks: string
  goodbye: string
}

/** What the built-in engine says in its own words, which is little. */
export const PHRASES: Record<Language, Phrases> = {
  en: {
    notFound: 'I did not find this in the sources.',
    nearest: 'The nearest are:',
    unsure: 'I am not sure, but this may help:',
    about: 'I am a chatbot that answers questions from its sources. What would you like to know?',
    greeting: 'Hello! What would you like to know?',
    thanks: 'You are welcome!',
    goodbye: 'Goodbye!',
  },
  de: {
    notFound: 'Dazu habe ich in den Quellen nichts gefunden.',
    nearest: 'Am nächsten kommen:',
    unsure: 'Ich bin nicht sicher, aber das könnte helfen:',
    about: 'Ich bin ein Chatbot und beantworte Fragen aus meinen Quellen. Was möchten Sie wissen?',
    greeting: 'Hallo! Was möchten Sie wissen?',
    thanks: 'Gern geschehen!',
    goodbye: 'Auf Wiedersehen!',
  },
  es: {
    notFound: 'No encontré esto en las fuentes.',
    nearest: 'Lo más cercano:',
    unsure: 'No estoy seguro, pero esto puede ayudar:',
    about: 'Soy un chatbot que responde preguntas a partir de sus fuentes. ¿Qué le gustaría saber?',
    greeting: '¡Hola! ¿Qué le gustaría saber?',
    thanks: '¡De nada!',
    goodbye: '¡Adiós!',
  },
  fr: {
    notFound: 'Je n’ai pas trouvé cela dans les sources.',
    nearest: 'Le plus proche :',
    unsure: 'Je n’en suis pas certain, mais ceci peut aider :',
    about:
      'Je suis un chatbot qui répond aux questions à partir de ses sources. Que souhaitez-vous savoir ?',
    greeting: 'Bonjour ! Que souhaitez-vous savoir ?',
    thanks: 'Avec plaisir !',
    goodbye: 'Au revoir !',
  },
  it: {
    notFound: 'Non l’ho trovato nelle fonti.',
    nearest: 'I più vicini:',
    unsure: 'Non ne sono certo, ma questo può aiutare:',
    about:
      'Sono un chatbot che risponde alle domande a partire dalle sue fonti. Che cosa vorrebbe sapere?',
    greeting: 'Salve! Che cosa vorrebbe sapere?',
    thanks: 'Prego!',
    goodbye: 'Arrivederci!',
  },
  pt: {
    notFound: 'Não encontrei isto nas fontes.',
    nearest: 'O mais próximo:',
    unsure: 'Não tenho a certeza, mas isto pode ajudar:',
    about:
      'Sou um chatbot que responde a perguntas a partir das suas fontes. O que gostaria de saber?',
    greeting: 'Olá! O que gostaria de saber?',
    thanks: 'De nada!',
    goodbye: 'Até logo!',
  },
  nl: {
    notFound: 'Dit heb ik niet in de bronnen gevonden.',
    nearest: 'Het dichtst in de buurt:',
    unsure: 'Ik weet het niet zeker, maar dit kan helpen:',
    about: 'Ik ben een chatbot die vragen beantwoordt op basis van zijn bronnen. Wat wilt u weten?',
    greeting: 'Hallo! Wat wilt u weten?',
    thanks: 'Graag gedaan!',
    goodbye: 'Tot ziens!',
  },
  ro: {
    notFound: 'Nu am găsit acest lucru în surse.',
    nearest: 'Cele mai apropiate:',
    unsure: 'Nu sunt sigur, dar acest lucru poate ajuta:',
    about: 'Sunt un chatbot care răspunde la întrebări pe baza surselor sale. Ce doriți să aflați?',
    greeting: 'Bună! Ce doriți să aflați?',
    thanks: 'Cu plăcere!',
    goodbye: 'La revedere!',
  },
  tr: {
    notFound: 'Bunu kaynaklarda bulamadım.',
    nearest: 'En yakın olanlar:',
    unsure: 'Emin değilim, ama bu yardımcı olabilir:',
    about: 'Soruları kaynaklarından yanıtlayan bir sohbet robotuyum. Ne öğrenmek istersiniz?',
    greeting: 'Merhaba! Ne öğrenmek istersiniz?',
    thanks: 'Rica ederim!',
    goodbye: 'Hoşça kalın!',
  },
  vi: {
    notFound: 'Tôi không tìm thấy điều này trong các nguồn.',
    nearest: 'Gần nhất là:',
    unsure: 'Tôi không chắc, nhưng điều này có thể giúp ích:',
    about: 'Tôi là chatbot trả lời câu hỏi dựa trên các nguồn của mình. Bạn muốn biết điều gì?',
    greeting: 'Xin chào! Bạn muốn biết điều gì?',
    thanks: 'Không có gì!',
    goodbye: 'Tạm biệt!',
  },
  pl: {
    notFound: 'Nie znalazłem tego w źródłach.',
    nearest: 'Najbliższe:',
    unsure: 'Nie mam pewności, ale to może pomóc:',
    about:
      'Jestem chatbotem, który odpowiada na pytania na podstawie swoich źródeł. Co chcieliby Państwo wiedzieć?',
    greeting: 'Dzień dobry! Co chcieliby Państwo wiedzieć?',
    thanks: 'Proszę bardzo!',
    goodbye: 'Do widzenia!',
  },
  ru: {
    notFound: 'Я не нашёл этого в источниках.',
    nearest: 'Ближе всего:',
    unsure: 'Я не уверен, но это может помочь:',
    about: 'Я чат-бот и отвечаю на вопросы по своим источникам. Что вы хотите узнать?',
    greeting: 'Здравствуйте! Что вы хотите узнать?',
    thanks: 'Пожалуйста!',
    goodbye: 'До свидания!',
  },
  el: {
    notFound: 'Δεν το βρήκα στις πηγές.',
    nearest: 'Τα πιο κοντινά:',
    unsure: 'Δεν είμαι βέβαιος, αλλά αυτό μπορεί να βοηθήσει:',
    about: 'Είμαι ένα chatbot που απαντά σε ερωτήσεις από τις πηγές του. Τι θα θέλατε να μάθετε;',
    greeting: 'Γεια σας! Τι θα θέλατε να μάθετε;',
    thanks: 'Παρακαλώ!',
    goodbye: 'Αντίο!',
  },
  ar: {
    notFound: 'لم أجد هذا في المصادر.',
    nearest: 'الأقرب هو:',
    unsure: 'لست متأكدًا، لكن قد يفيدك هذا:',
    about: 'أنا روبوت محادثة أجيب عن الأسئلة من مصادري. ماذا تود أن تعرف؟',
    greeting: 'مرحبًا! ماذا تود أن تعرف؟',
    thanks: 'على الرحب والسعة!',
    goodbye: 'إلى اللقاء!',
  },
  hi: {
    notFound: 'मुझे यह स्रोतों में नहीं मिला।',
    nearest: 'सबसे निकट:',
    unsure: 'मुझे यकीन नहीं है, लेकिन यह मदद कर सकता है:',
    about: 'मैं एक चैटबॉट हूँ और अपने स्रोतों से प्रश्नों के उत्तर देता हूँ। आप क्या जानना चाहेंगे?',
    greeting: 'नमस्ते! आप क्या जानना चाहेंगे?',
    thanks: 'आपका स्वागत है!',
    goodbye: 'अलविदा!',
  },
  th: {
    notFound: 'ไม่พบสิ่งนี้ในแหล่งข้อมูล',
    nearest: 'ที่ใกล้เคียงที่สุด:',
    unsure: 'ไม่แน่ใจ แต่สิ่งนี้อาจช่วยได้:',
    about: 'ฉันเป็นแชตบอตที่ตอบคำถามจากแหล่งข้อมูลของฉัน คุณอยากทราบอะไร',
    greeting: 'สวัสดี! คุณอยากทราบอะไร',
    thanks: 'ด้วยความยินดี!',
    goodbye: 'ลาก่อน!',
  },
  zh: {
    notFound: '我在资料中没有找到这个内容。',
    nearest: '最接近的有：',
    unsure: '我不太确定，但这可能有帮助：',
    about: '我是一个聊天机器人，根据资料回答问题。您想了解什么？',
    greeting: '您好！您想了解什么？',
    thanks: '不客气！',
    goodbye: '再见！',
  },
  ja: {
    notFound: '資料の中には見つかりませんでした。',
    nearest: '最も近いもの：',
    unsure: '確かではありませんが、こちらが参考になるかもしれません：',
    about: '資料をもとに質問にお答えするチャットボットです。何をお知りになりたいですか？',
    greeting: 'こんにちは！何をお知りになりたいですか？',
    thanks: 'どういたしまして！',
    goodbye: 'さようなら！',
  },
  ko: {
    notFound: '자료에서 찾지 못했습니다.',
    nearest: '가장 가까운 것:',
    unsure: '확실하지 않지만 도움이 될 수 있습니다:',
    about: '저는 자료를 바탕으로 질문에 답하는 챗봇입니다. 무엇을 알고 싶으세요?',
    greeting: '안녕하세요! 무엇을 알고 싶으세요?',
    thanks: '천만에요!',
    goodbye: '안녕히 가세요!',
  },
}
