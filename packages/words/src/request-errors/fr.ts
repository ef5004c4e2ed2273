import type { Words } from '../words.ts'

export const reasons: Words['reasons'] = {
  notFound: 'Cet élément n’existe pas ou a été supprimé.',
  tooLarge: 'L’envoi est trop volumineux. Envoyez moins de données à la fois.',
  fileTooLarge: 'Le fichier dépasse {megabytes} Mo. Divisez-le en fichiers plus petits.',
  unsupportedType: 'Ce type de fichier n’est pas pris en charge.',
  oldOffice:
    'Le format du fichier est antérieur à Office 2007. Enregistrez-le en .docx, .xlsx ou .pptx et envoyez ce fichier.',
  rateLimited: 'Trop de tentatives. Patientez un instant et réessayez.',
  unauthorized: 'Vous n’êtes pas connecté. Connectez-vous et réessayez.',
  wrongPassword: 'Le nom d’utilisateur ou le mot de passe est incorrect.',
  tooSlow: 'Les données sont arrivées trop lentement. Réessayez.',
  quotaReached:
    'Votre compte a atteint sa limite de stockage. Supprimez des éléments pour libérer de l’espace.',
  unavailable: 'Le serveur est temporairement indisponible. Réessayez dans un instant.',
  tookTooLong:
    'L’opération a pris trop de temps. Choisissez moins de jours ou des filtres plus précis.',
  diskFull: 'Le disque du serveur est plein ; rien ne peut être enregistré.',
  internal: 'Une erreur s’est produite sur le serveur. Consultez son journal.',
  field: '{field} : {problem}',
  required: 'ne doit pas être vide',
  tooShort: 'doit contenir au moins {minimum} caractères',
  tooLong: 'doit contenir au plus {maximum} caractères',
  tooMany: 'doit contenir au plus {maximum} entrées',
  notAddress: 'doit être une URL, comme https://example.org',
  notPassword: 'n’est pas votre mot de passe',
  notText: 'contient des caractères qui ne sont pas du texte',
  tooManyMessages: 'Trop de messages.',
  budgetSpent: 'Ce chatbot a atteint sa limite pour ce mois-ci.',
  tokensSpent: 'Ce chatbot a épuisé son budget de tokens pour ce mois-ci.',
  tooLongForModel:
    'La question et les instructions sont trop longues pour ce modèle. Raccourcissez-les.',
  modelFailed: 'Le modèle de langage a échoué. Réessayez.',
  answerFailed: 'Le chatbot n’a pas pu répondre.',
  conversationFull: 'Cette conversation a atteint sa longueur maximale. Commencez-en une nouvelle.',
  conversationGone: 'Cette conversation n’existe plus. Réessayez pour en commencer une nouvelle.',
  wentWrong: 'Une erreur s’est produite sur le serveur.',
  tryAgainWhen: 'Réessayez {when}.',
  tryAgainLater: 'Réessayez plus tard.',
  questionTooLong: 'La question est trop longue : {length} caractères sur {most}.',
}
