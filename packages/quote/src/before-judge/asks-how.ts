// Not how much, how long or how often: these ask for a number.
const WAYS = [
  'how (?:do|does|can|could|should|would|to|is|are)',
  'steps|procedure|instructions|commands?',
  'wie (?:kann|könnte|soll|muss|geht|wird|werden|lässt|\\p{L}+e ich|\\p{L}+t man)',
  'comment(?! s.appel)|cómo|come (?:si|posso|faccio|fare|devo)|como (?:posso|faço|fazer|se|devo)',
  'hoe (?:kan|moet|\\p{L}+ (?:ik|je))|hur (?:gör|kan|ska|\\p{L}+ (?:jag|man))|hvordan',
  'jak (?:mogę|można|się|\\p{L}+ć)|cum (?:pot|se|să)|nasıl|làm (?:thế nào|sao)|cách',
  'как(?! (?:долго|часто|далеко|называ|зовут))|як (?:мені|я|можна)|πώς|كيف|कैसे|어떻게',
]
const ASKS_HOW = new RegExp(`(?<!\\p{L})(?:${WAYS.join('|')})(?!\\p{L})`, 'iu')
// In scripts that set no words apart.
const UNSPACED = /如何|怎[么麼样樣]|步[骤驟]|どうやって|どうすれば|方法|手順|やり方|วิธี|อย่างไร/

/** Whether a question asks for what to do. */
export function asksHow(question: string): boolean {
  return ASKS_HOW.test(question) || UNSPACED.test(question)
}
