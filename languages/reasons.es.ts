import type { Words } from './words.ts'

export const reasons: Words['reasons'] = {
  notFound: 'No existe o ya no existe.',
  tooLarge: 'Es demasiado grande.',
  fileTooLarge: 'El archivo ocupa más de {count} MB.',
  unsupportedType: 'Los archivos de este tipo no se pueden leer.',
  oldOffice:
    'Es de un Office anterior a 2007. Guárdelo como .docx, .xlsx o .pptx y suba ese archivo.',
  rateLimited: 'Demasiados intentos. Espere un rato.',
  unauthorized: 'No ha iniciado sesión.',
  wrongPassword: 'El nombre o la contraseña no son correctos.',
  unavailable: 'El servidor no puede hacerlo ahora. Inténtelo de nuevo en un momento.',
  diskFull: 'No se puede guardar nada: el disco del servidor está lleno.',
  internal: 'Algo ha fallado en el servidor. Su registro tiene los detalles.',
  field: '{field}: {problem}',
  required: 'no puede estar vacío',
  tooShort: 'debe tener al menos {count} caracteres',
  tooLong: 'debe tener como máximo {count} caracteres',
  tooMany: 'debe tener como máximo {count} entradas',
  notAddress: 'debe ser una dirección web, como https://example.org',
  notPassword: 'no es su contraseña',
  tooManyMessages: 'Demasiados mensajes.',
  budgetSpent: 'Este chatbot no puede responder más este mes.',
  tokensSpent: 'Este chatbot ha gastado sus tokens de este mes.',
  tooLongForModel:
    'La pregunta y la instrucción del chatbot son demasiado largas para este modelo.',
  answerFailed: 'No se pudo dar la respuesta.',
  conversationGone: 'Esta conversación ya no está. Inténtelo de nuevo y empezará otra.',
  wentWrong: 'Algo ha fallado en el servidor.',
  tryAgainWhen: 'Inténtelo de nuevo {when}.',
  tryAgainLater: 'Inténtelo de nuevo más tarde.',
  questionTooLong: 'La pregunta es demasiado larga: {length} de un máximo de {most} caracteres.',
}
