const english = `
a about after again all also am an and any anyone are as ask at back be because been before but by can could did do does doing dont
for from get gets getting give go going good got had has have having hello help her here hey hi him his how i if im in into is it its
just keep know let like make me might more my need needs new no not now of off on one or our out over own people please pls really
said say see she should so some somebody someone something still such take tell than thank thanks that the their them then there
these they thing things this those three through to too try trying two up us use using very want wanted wants was way we well were what when
where which while who why will with without wont would yes yet you your
`;

const vietnamese = `
anh bạn bao bây bên bị biết bởi cả các cái cần càng chị chỉ chưa cho chúng chứ chút có còn của cùng cũng cứ cho dạ dù dùng đã đang
đâu đây để đến đều đi đó được em gì giờ giúp hãy hay hết hỏi hơn hộ khi không khác là lại lắm làm lên lúc luôn mà mai mãi mấy mình
một mọi mỗi muốn nào này nên nếu ngay nhiều như nhé nhỉ nhưng những nó nữa ơi ở qua quá ra rất rồi sao sẽ sau tại thể thế thì theo thôi
tôi tớ trên trong trước tự từ và vào vẫn vậy vẻ về vì việc vẫn với vừa xin xong
`;

/** Words that say nothing about what somebody wants, with their diacritics. */
export const stopWords = createWordSet(`${english} ${vietnamese}`);

/** The Vietnamese stop words without diacritics. Each may be another word: `ve` is `về` (about) or `vé` (ticket). */
export const unmarkedStopWords = createWordSet(removeMarks(vietnamese));

function createWordSet(words: string): ReadonlySet<string> {
  return new Set(words.trim().split(/\s+/));
}

function removeMarks(words: string): string {
  return words.replaceAll("đ", "d").normalize("NFD").replace(/\p{M}/gu, "");
}
