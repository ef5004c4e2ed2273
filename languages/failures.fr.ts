import type { Words } from './words.ts'

export const failures: Words['failures'] = {
  noSuchPage: 'Cette page n’existe pas ({what}).',
  asksPassword: 'Le site demande un mot de passe (401) que ce serveur n’a pas.',
  forbidden: 'Le site ne laisse pas ce serveur lire la page (403).',
  askedTooOften: 'Le site dit qu’il est sollicité trop souvent (429).',
  siteTrouble: 'Le site a lui-même un problème ({what}).',
  siteAnswered: 'Le site a répondu {what}.',
  tookTooLong: 'La réponse a pris trop de temps.',
  connectionFailed: 'La connexion a échoué.',
  certificate: 'Le certificat du site n’est pas valide ({what}).',
  hostNotFound: 'Le nom d’hôte {what} est introuvable.',
  ownAddress: 'Cela mène à ce serveur lui-même, qui ne consulte pas ses propres pages.',
  privateAddress:
    'Cela mène à une adresse privée ou spéciale, que ce serveur ne consulte pas. L’exploitant peut autoriser un hôte avec ALLOW_PRIVATE_HOSTS.',
  redirects: 'Il y a plus de {what} redirections.',
  leadsAway: 'Cela mène hors du site.',
  signIn:
    'Cela mène maintenant à une page de connexion ({what}), que ce serveur ne peut pas franchir. Ce qui a été lu avant est conservé. Ajoutez le texte comme fichier, ou demandez au propriétaire du site de rouvrir la page.',
  deadEnd:
    'Cela mène maintenant ailleurs ({what}), à une page d’où l’on n’atteint aucune autre. Ce qui a été lu avant est conservé. Si le site a déménagé, ajoutez plutôt sa nouvelle adresse.',
  tooLarge: 'Cela dépasse {what} Mo.',
  robots:
    'Le robots.txt du site demande aux programmes comme celui-ci de ne pas lire la page. Ajoutez son texte comme fichier, ou demandez au propriétaire du site d’y autoriser « Docent ».',
  noindex:
    'La page demande à ne pas être trouvée (« noindex »). Ajoutez son texte comme fichier, ou demandez au propriétaire du site d’y autoriser « Docent ».',
  contentType: 'Son contenu ({what}) ne peut pas être lu.',
  fileType: 'Les fichiers de ce type ne peuvent pas être lus.',
  noText: 'Il n’y a pas de texte dedans.',
  needsScripts:
    'La page est vide tant que ses scripts n’ont pas tourné, et ce serveur n’en exécute pas. Ajoutez son texte comme fichier, ou demandez à l’exploitant d’installer Chromium.',
  pdfDamaged:
    'Le fichier est endommagé et ne peut pas être lu comme PDF. Ouvrez-le dans un lecteur de PDF, enregistrez-le ou imprimez-le en un nouveau PDF et envoyez celui-ci.',
  locked:
    'Le fichier est protégé par un mot de passe. Enregistrez une copie sans mot de passe et envoyez-la.',
  scanned:
    'Le fichier n’a pas de texte : ses pages sont des images, comme un scan. Passez-le à la reconnaissance de texte (OCR) et envoyez le résultat, ou demandez que tesseract soit installé à côté de ce serveur.',
  damaged: 'Le fichier est endommagé ou tronqué. Enregistrez-le à nouveau et renvoyez-le.',
  tooMuchText:
    'Il contient plus de {what} millions de caractères de texte. Essayez en parties plus petites.',
  readingTooLong: 'La lecture a pris trop de temps. Essayez en parties plus petites.',
  readingTooLarge: 'La lecture a demandé trop de mémoire. Essayez en parties plus petites.',
  noTextOnSite: 'Il n’y a pas de texte sur les pages du site.',
  dnsSilent:
    'Le nom d’hôte {what} n’a pas pu être résolu, car aucun serveur DNS ne répond à ce serveur.',
  noWebPort: 'Le port {what} n’est pas un port de serveur web.',
  endless: 'Cela mène sans fin d’une page à l’autre.',
  notRead: 'Cela n’a pas pu être lu.',
  emptyWithScripts:
    'La page est vide, même après que ses scripts ont tourné. Ajoutez plutôt son texte comme fichier.',
  scriptsTooLong:
    'La page est vide tant que ses scripts n’ont pas tourné, et ils prennent trop de temps. Ajoutez plutôt son texte comme fichier.',
  scriptsTooLarge:
    'La page est vide tant que ses scripts n’ont pas tourné, et ils demandent trop de mémoire. Ajoutez plutôt son texte comme fichier.',
  browserFailed:
    'La page est vide tant que ses scripts n’ont pas tourné, et le navigateur de ce serveur a échoué ; l’exploitant peut voir pourquoi dans le journal. Ajoutez plutôt son texte comme fichier.',
  nothingRecognised:
    'Le fichier n’a pas de texte : ses pages sont des images, et aucun texte n’y a été reconnu. Un scan plus net peut aider, ou une autre langue dans OCR_LANGUAGES.',
  notRecognised:
    'Ses pages sont des images, et tesseract n’a pas pu les lire. Ses données pour les langues de OCR_LANGUAGES ne sont peut-être pas installées.',
  tooManyScans:
    'Plus de {what} de ses pages sont des images sans texte. Essayez en parties plus petites.',
  oldOffice:
    'Le fichier vient d’un Office d’avant 2007. Enregistrez-le en .docx, .xlsx ou .pptx et envoyez celui-ci, ou demandez que LibreOffice soit installé à côté de ce serveur.',
  notConverted:
    'Le fichier n’a pas pu être converti. Enregistrez-le en .docx, .xlsx ou .pptx et envoyez celui-ci.',
  copyProtected: 'Le livre est protégé contre la copie (DRM) et ne peut pas être lu.',
  unpacksTooLarge: 'Décompressé, le fichier est démesurément grand ; il n’a donc pas été lu.',
  tooMuchForOne: 'Il contient trop de texte pour une seule source. Essayez en plusieurs parties.',
  notTakenIn: 'Cela n’a pas pu être intégré.',
  neverEnded: 'Cela a été abandonné après {what} essais qui ne se terminaient pas.',
  noPage: 'Aucune page n’a pu être lue. La première : {what}',
  tried: '{what} essais ont été faits.',
}
