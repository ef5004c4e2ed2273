import type { Words } from './words.ts'

export const reasons: Words['reasons'] = {
  notFound: 'Cela n’existe pas ou n’existe plus.',
  tooLarge: 'C’est trop volumineux.',
  fileTooLarge: 'Le fichier dépasse {count} Mo.',
  unsupportedType: 'Les fichiers de ce type ne peuvent pas être lus.',
  oldOffice:
    'Il vient d’un Office d’avant 2007. Enregistrez-le en .docx, .xlsx ou .pptx et envoyez ce fichier.',
  rateLimited: 'Trop de tentatives. Patientez un moment.',
  unauthorized: 'Vous n’êtes pas connecté.',
  wrongPassword: 'Le nom ou le mot de passe est incorrect.',
  unavailable: 'Le serveur ne peut pas le faire pour l’instant. Réessayez dans un moment.',
  diskFull: 'Rien ne peut être enregistré : le disque du serveur est plein.',
  internal: 'Un problème est survenu sur le serveur. Son journal en dit plus.',
  field: '{field} : {problem}',
  required: 'ne doit pas être vide',
  tooShort: 'doit compter au moins {count} caractères',
  tooLong: 'doit compter au plus {count} caractères',
  tooMany: 'doit compter au plus {count} entrées',
  notAddress: 'doit être une adresse web, comme https://example.org',
  notPassword: 'n’est pas votre mot de passe',
}
