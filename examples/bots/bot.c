/* A bot for any game of the house, without a library: it takes the most points that it can have at once, and draws among equals.

       cc -o bot examples/bots/bot.c && sheepfold arena haste-bock --bots cmd:./bot,lamb --games 20

   A line has no spaces between its parts and is all ASCII; the text of an action stands in quotes, and is sent back as it came. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *line = NULL;
    size_t room = 0;
    while (getline(&line, &room, stdin) > 0) {
        char *actions = strstr(line, "\"actions\":[");
        if (strstr(line, "\"type\":\"setup\"")) printf("{\"ready\":1}\n");
        if (actions) {
            char *best = NULL, *end = strstr(actions, "],\"clock\"");
            long most = 0, equals = 0;
            srand((unsigned)strtol(strstr(end, "\"seed\":") + strlen("\"seed\":"), NULL, 10));
            for (char *at = actions; (at = strstr(at, "\"action\":\"")) && at < end;) {
                at += strlen("\"action\":\"");
                char *next = strstr(at, "{\"number\":"), *gain = strstr(at, "\"gain\":");
                long points = gain && gain < (next ? next : end) ? strtol(gain + strlen("\"gain\":"), NULL, 10) : 0;
                if (!best || points > most) best = at, most = points, equals = 1;
                else if (points == most && rand() % ++equals == 0) best = at;
            }
            if (strstr(line, "\"interrupting\":true")) best = "pass";
            printf("{\"action\":\"%.*s\"}\n", (int)strcspn(best, "\""), best);
        }
        fflush(stdout);
    }
    return 0;
}
