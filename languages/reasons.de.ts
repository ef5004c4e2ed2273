import type { Words } from './words.ts'

export const reasons: Words['reasons'] = {
  notFound: 'Das gibt es nicht oder nicht mehr.',
  tooLarge: 'Das ist zu groß.',
  fileTooLarge: 'Die Datei ist größer als {count} MB.',
  unsupportedType: 'Dateien dieser Art können nicht gelesen werden.',
  oldOffice:
    'Sie stammt aus einem Office vor 2007. Speichern Sie sie als .docx, .xlsx oder .pptx und laden Sie diese hoch.',
  rateLimited: 'Zu viele Versuche. Warten Sie eine Weile.',
  unauthorized: 'Sie sind nicht angemeldet.',
  wrongPassword: 'Der Name oder das Passwort ist falsch.',
  unavailable: 'Der Server kann das gerade nicht. Versuchen Sie es gleich noch einmal.',
  diskFull: 'Nichts kann gespeichert werden: Die Festplatte des Servers ist voll.',
  internal: 'Auf dem Server ist etwas schiefgegangen. Näheres steht in seinem Protokoll.',
  field: '{field}: {problem}',
  required: 'darf nicht leer sein',
  tooShort: 'muss mindestens {count} Zeichen haben',
  tooLong: 'darf höchstens {count} Zeichen haben',
  tooMany: 'höchstens {count} Einträge sind möglich',
  notAddress: 'muss eine Webadresse sein, etwa https://example.org',
  notPassword: 'ist nicht Ihr Passwort',
  tooManyMessages: 'Zu viele Nachrichten.',
  budgetSpent: 'Dieser Chatbot kann diesen Monat nichts mehr beantworten.',
  tokensSpent: 'Dieser Chatbot hat seine Tokens für diesen Monat verbraucht.',
  tooLongForModel: 'Die Frage und die Anweisung des Chatbots sind zu lang für dieses Modell.',
  answerFailed: 'Die Antwort konnte nicht gegeben werden.',
  conversationGone:
    'Dieses Gespräch ist nicht mehr da. Versuchen Sie es noch einmal, dann beginnt ein neues.',
  wentWrong: 'Auf dem Server ist etwas schiefgegangen.',
  tryAgainWhen: 'Versuchen Sie es {when} noch einmal.',
  tryAgainLater: 'Versuchen Sie es später noch einmal.',
  questionTooLong: 'Die Frage ist zu lang: {length} von höchstens {most} Zeichen.',
}
