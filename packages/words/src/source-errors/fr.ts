import type { Words } from '../words.ts'

export const failures: Words['failures'] = {
  answer_too_slow: 'Le site a mis trop de temps à répondre.',
  asked_too_often: 'Le site limite le nombre de requêtes (429).',
  asks_password:
    'Le site exige un mot de passe (401) que ce serveur n’a pas. Ajoutez plutôt le texte sous forme de fichier.',
  browser_failed:
    'La page a besoin de JavaScript, et le navigateur de ce serveur a échoué. Ajoutez le texte sous forme de fichier ou demandez à l’exploitant de consulter le journal du serveur.',
  certificate_invalid: 'Le certificat du site n’est pas valide ({reason}).',
  connection_failed: 'La connexion au site a échoué.',
  content_type: 'Le type de contenu {type} n’est pas pris en charge.',
  content_type_unknown: 'Le type de contenu de la page est inconnu.',
  copy_protected: 'Le livre est protégé contre la copie (DRM) et ne peut pas être lu.',
  damaged:
    'Le fichier est endommagé ou incomplet. Enregistrez-le à nouveau et envoyez le nouveau fichier.',
  declares_entities:
    'Le fichier déclare des entités XML, dont la lecture n’est pas sûre. Enregistrez-le sans elles.',
  dns_silent: 'Impossible de résoudre le nom d’hôte {host} : aucun serveur DNS ne répond.',
  empty_with_scripts:
    'La page est vide, même après l’exécution de ses scripts. Ajoutez plutôt son texte sous forme de fichier.',
  endless_redirects: 'La page redirige sans fin.',
  file_type: 'Ce type de fichier n’est pas pris en charge.',
  host_not_found: 'Le nom d’hôte {host} est introuvable.',
  leads_away: 'La page redirige vers un autre site.',
  leads_elsewhere:
    'Le site redirige désormais vers une page sans liens ({address}). Docent conserve les passages précédents. Si le site a déménagé, ajoutez plutôt sa nouvelle adresse.',
  leads_to_sign_in:
    'Le site redirige désormais vers une page de connexion ({address}). Docent conserve les passages précédents. Ajoutez le texte sous forme de fichier ou demandez au propriétaire du site de rouvrir la page.',
  locked:
    'Le fichier est protégé par un mot de passe. Enregistrez une copie sans mot de passe et envoyez-la.',
  needs_scripts:
    'La page a besoin de JavaScript, que ce serveur n’exécute pas. Ajoutez son texte sous forme de fichier ou demandez à l’exploitant d’installer Chromium.',
  nested_too_deep: 'Le contenu est imbriqué sur plus de {most} niveaux.',
  never_ended: 'Docent a abandonné après {attempts} tentatives inachevées.',
  no_contents: 'Le livre n’indique pas son contenu et ne peut pas être lu.',
  no_page_read: 'Aucune page n’a pu être lue. Première erreur : {first}',
  no_such_page: 'La page n’existe pas ({status}).',
  no_text: 'Aucun texte trouvé.',
  no_text_on_site: 'Aucun texte trouvé sur les pages du site.',
  no_web_port: 'Le port {port} n’est pas un port de serveur web.',
  noindex:
    'La page demande à ne pas être indexée (« noindex »). Ajoutez son texte sous forme de fichier ou demandez au propriétaire du site d’autoriser « Docent ».',
  not_converted:
    'Le fichier n’a pas pu être converti. Enregistrez-le en .docx, .xlsx ou .pptx et envoyez ce fichier.',
  not_read: 'La page n’a pas pu être lue.',
  not_taken_in: 'La source n’a pas pu être traitée.',
  not_url: 'Cette URL n’est pas valide.',
  not_web_address: 'Seules les URL http et https sont prises en charge.',
  nothing_recognized:
    'Les pages sont des images dans lesquelles aucun texte n’a été reconnu. Essayez un scan plus net ou ajoutez une langue à OCR_LANGUAGES.',
  old_office:
    'Le format du fichier est antérieur à Office 2007. Enregistrez-le en .docx, .xlsx ou .pptx et envoyez ce fichier, ou demandez à l’exploitant d’installer LibreOffice.',
  own_address: 'L’adresse mène à ce serveur, qui ne lit pas ses propres pages.',
  page_too_large: 'La page dépasse {megabytes} Mo.',
  pdf_damaged:
    'Le PDF est endommagé et ne peut pas être lu. Ouvrez-le dans un lecteur PDF, enregistrez-le ou imprimez-le dans un nouveau PDF et envoyez celui-ci.',
  private_address:
    'L’adresse est privée ou réservée, et ce serveur ne s’y connecte pas. L’exploitant peut autoriser un hôte avec ALLOW_PRIVATE_HOSTS.',
  reading_too_large:
    'La lecture demande trop de mémoire. Divisez le contenu en parties plus petites.',
  reading_too_long: 'La lecture prend trop de temps. Divisez le contenu en parties plus petites.',
  recognition_failed:
    'Les pages sont des images que tesseract n’a pas pu lire. Demandez à l’exploitant d’installer ses données pour les langues de OCR_LANGUAGES.',
  robots:
    'Le fichier robots.txt du site n’autorise pas la lecture de cette page. Ajoutez son texte sous forme de fichier ou demandez au propriétaire du site d’autoriser « Docent ».',
  scanned:
    'Les pages sont des images sans texte, par exemple un scan. Lancez une reconnaissance de texte (OCR) et envoyez le résultat, ou demandez à l’exploitant d’installer tesseract.',
  scripts_too_large:
    'Les scripts de la page demandent trop de mémoire. Ajoutez plutôt son texte sous forme de fichier.',
  scripts_too_long:
    'Les scripts de la page prennent trop de temps. Ajoutez plutôt son texte sous forme de fichier.',
  site_answered: 'Le site a répondu avec le code {status}.',
  site_forbids: 'Le site n’autorise pas ce serveur à lire la page (403).',
  site_trouble: 'Le site rencontre une erreur de serveur ({status}).',
  too_many_parts: 'L’archive contient plus de {most} éléments.',
  too_many_redirects: 'La page redirige plus de {most} fois.',
  too_many_scans:
    'Plus de {most} pages sont des images sans texte. Divisez le fichier en parties plus petites.',
  too_much_for_one:
    'Le texte est trop long pour une seule source. Répartissez-le sur plusieurs sources.',
  too_much_text:
    'Le texte dépasse {millions} millions de caractères. Divisez-le en parties plus petites.',
  unpacks_too_large: 'Le fichier décompressé est beaucoup trop volumineux ; il n’a pas été lu.',
  // Appended to any of the sentences above.
  tried: 'Nombre de tentatives : {tried}.',
  again_later: 'Réessayez plus tard.',
  again_seconds: 'Le site demande de réessayer {when}.',
}
