static int state;
extern "C" void set(int value) { state = value; }
extern "C" int get() { return state; }
