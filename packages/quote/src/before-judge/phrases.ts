export interface Phrases {
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
export const PHRASES = {
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
  ar: {
    notFound: 'لم أجد هذا في المصادر.',
    nearest: 'الأقرب هو:',
    unsure: 'لست متأكدًا، لكن قد يفيدك هذا:',
    about: 'أنا روبوت محادثة أجيب عن الأسئلة من مصادري. ماذا تود أن تعرف؟',
    greeting: 'مرحبًا! ماذا تود أن تعرف؟',
    thanks: 'على الرحب والسعة!',
    goodbye: 'إلى اللقاء!',
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
} satisfies Record<string, Phrases>

export type SpokenLanguage = keyof typeof PHRASES

export function isSpoken(language: string): language is SpokenLanguage {
  return Object.hasOwn(PHRASES, language)
}
