import type { Words } from '../words.ts'

export const failures: Words['failures'] = {
  answer_too_slow: 'La réponse a pris trop de temps.',
  asked_too_often: 'Le site dit qu’il est sollicité trop souvent (429).',
  asks_password: 'Le site demande un mot de passe (401) que ce serveur n’a pas.',
  browser_failed:
    'La page est vide tant que ses scripts n’ont pas tourné, et le navigateur de ce serveur a échoué ; l’exploitant peut voir pourquoi dans le journal. Ajoutez plutôt son texte comme fichier.',
  certificate_invalid: 'Le certificat du site n’est pas valide ({reason}).',
  connection_failed: 'La connexion a échoué.',
  content_type: 'Son contenu ({type}) ne peut pas être lu.',
  content_type_unknown: 'Son contenu (d’un type inconnu) ne peut pas être lu.',
  copy_protected: 'Le livre est protégé contre la copie (DRM) et ne peut pas être lu.',
  damaged: 'Le fichier est endommagé ou tronqué. Enregistrez-le à nouveau et renvoyez-le.',
  declares_entities:
    'Il déclare ses propres entités, ce qu’il n’est pas sûr de lire. Enregistrez-le sans elles.',
  dns_silent:
    'Le nom d’hôte {host} n’a pas pu être résolu, car aucun serveur DNS ne répond à ce serveur.',
  empty_with_scripts:
    'La page est vide, même après que ses scripts ont tourné. Ajoutez plutôt son texte comme fichier.',
  endless_redirects: 'Cela mène sans fin d’une page à l’autre.',
  file_type: 'Les fichiers de ce type ne peuvent pas être lus.',
  host_not_found: 'Le nom d’hôte {host} est introuvable.',
  leads_away: 'Cela mène hors du site.',
  leads_elsewhere:
    'Cela mène maintenant ailleurs ({address}), à une page d’où l’on n’atteint aucune autre. Ce qui a été lu avant est conservé. Si le site a déménagé, ajoutez plutôt sa nouvelle adresse.',
  leads_to_sign_in:
    'Cela mène maintenant à une page de connexion ({address}), que ce serveur ne peut pas franchir. Ce qui a été lu avant est conservé. Ajoutez le texte comme fichier, ou demandez au propriétaire du site de rouvrir la page.',
  locked:
    'Le fichier est protégé par un mot de passe. Enregistrez une copie sans mot de passe et envoyez-la.',
  needs_scripts:
    'La page est vide tant que ses scripts n’ont pas tourné, et ce serveur n’en exécute pas. Ajoutez son texte comme fichier, ou demandez à l’exploitant d’installer Chromium.',
  nested_too_deep: 'Il est imbriqué sur plus de {most} niveaux.',
  never_ended: 'Cela a été abandonné après {attempts} essais qui ne se terminaient pas.',
  no_contents: 'Le livre n’indique pas ce qu’il contient.',
  no_page_read: 'Aucune page n’a pu être lue. La première : {first}',
  no_such_page: 'Cette page n’existe pas ({status}).',
  no_text: 'Il n’y a pas de texte dedans.',
  no_text_on_site: 'Il n’y a pas de texte sur les pages du site.',
  no_web_port: 'Le port {port} n’est pas un port de serveur web.',
  noindex:
    'La page demande à ne pas être trouvée (« noindex »). Ajoutez son texte comme fichier, ou demandez au propriétaire du site d’y autoriser « Docent ».',
  not_converted:
    'Le fichier n’a pas pu être converti. Enregistrez-le en .docx, .xlsx ou .pptx et envoyez celui-ci.',
  not_read: 'Cela n’a pas pu être lu.',
  not_taken_in: 'Cela n’a pas pu être intégré.',
  not_url: 'Ce n’est pas une URL.',
  not_web_address: 'Seules les adresses http et https peuvent être lues.',
  nothing_recognized:
    'Le fichier n’a pas de texte : ses pages sont des images, et aucun texte n’y a été reconnu. Un scan plus net peut aider, ou une autre langue dans OCR_LANGUAGES.',
  old_office:
    'Le fichier vient d’un Office d’avant 2007. Enregistrez-le en .docx, .xlsx ou .pptx et envoyez celui-ci, ou demandez que LibreOffice soit installé à côté de ce serveur.',
  own_address: 'Cela mène à ce serveur lui-même, qui ne consulte pas ses propres pages.',
  page_too_large: 'Cela dépasse {megabytes} Mo.',
  pdf_damaged:
    'Le fichier est endommagé et ne peut pas être lu comme PDF. Ouvrez-le dans un lecteur de PDF, enregistrez-le ou imprimez-le en un nouveau PDF et envoyez celui-ci.',
  private_address:
    'Cela mène à une adresse privée ou spéciale, que ce serveur ne consulte pas. L’exploitant peut autoriser un hôte avec ALLOW_PRIVATE_HOSTS.',
  reading_too_large: 'La lecture a demandé trop de mémoire. Essayez en parties plus petites.',
  reading_too_long: 'La lecture a pris trop de temps. Essayez en parties plus petites.',
  recognition_failed:
    'Ses pages sont des images, et tesseract n’a pas pu les lire. Ses données pour les langues de OCR_LANGUAGES ne sont peut-être pas installées.',
  robots:
    'Le robots.txt du site demande aux programmes comme celui-ci de ne pas lire la page. Ajoutez son texte comme fichier, ou demandez au propriétaire du site d’y autoriser « Docent ».',
  scanned:
    'Le fichier n’a pas de texte : ses pages sont des images, comme un scan. Passez-le à la reconnaissance de texte (OCR) et envoyez le résultat, ou demandez que tesseract soit installé à côté de ce serveur.',
  scripts_too_large:
    'La page est vide tant que ses scripts n’ont pas tourné, et ils demandent trop de mémoire. Ajoutez plutôt son texte comme fichier.',
  scripts_too_long:
    'La page est vide tant que ses scripts n’ont pas tourné, et ils prennent trop de temps. Ajoutez plutôt son texte comme fichier.',
  site_answered: 'Le site a répondu {status}.',
  site_forbids: 'Le site ne laisse pas ce serveur lire la page (403).',
  site_trouble: 'Le site a lui-même un problème ({status}).',
  too_many_parts: 'C’est une archive de plus de {most} éléments.',
  too_many_redirects: 'Il y a plus de {most} redirections.',
  too_many_scans:
    'Plus de {most} de ses pages sont des images sans texte. Essayez en parties plus petites.',
  too_much_for_one:
    'Il contient trop de texte pour une seule source. Essayez en plusieurs parties.',
  too_much_text:
    'Il contient plus de {millions} millions de caractères de texte. Essayez en parties plus petites.',
  unpacks_too_large: 'Décompressé, le fichier est démesurément grand ; il n’a donc pas été lu.',
  // Appended to any of the sentences above.
  tried: '{tried} essais ont été faits.',
  again_later: 'Réessayez plus tard.',
  again_seconds: 'Le site demande de réessayer {when}.',
}
